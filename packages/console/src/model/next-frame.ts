// The pace of what is shown. A page that is in the background has no frames, and goes on anyway: what it does not take may be
// gone when somebody looks.

const WITHOUT_FRAMES_MS = 100;

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, WITHOUT_FRAMES_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
