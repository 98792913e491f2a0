// Waits for something, unless the caller gives up first.

export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  failure: () => Error,
): Promise<T> {
  let giveUp = (): void => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(failure());
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([givenUp, work]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
