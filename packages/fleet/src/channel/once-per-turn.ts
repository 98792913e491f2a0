// Work that is asked for often and done once, later in the same turn or after it.

export function oncePerTurn(schedule: (work: () => void) => void, work: () => void): () => void {
  let isScheduled = false;
  const run = (): void => {
    isScheduled = false;
    work();
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(run);
  };
}
