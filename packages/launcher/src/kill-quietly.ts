/** Sends a signal; false when there is no such process or it is not ours to signal. */
export function killQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
