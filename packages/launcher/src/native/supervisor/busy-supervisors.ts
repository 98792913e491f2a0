/** Wakes supervisors that have a command, and their guardians: it may have stopped them (SIGSTOP). */
interface Wakeable {
  wake(): void;
}

const WAKE_EVERY_MS = 1000;
const busy = new Set<Wakeable>();
let waker: NodeJS.Timeout | undefined;

export function setBusy(supervisor: Wakeable, isBusy: boolean): void {
  if (isBusy) busy.add(supervisor);
  else busy.delete(supervisor);
  if (busy.size === 0) {
    clearInterval(waker);
    waker = undefined;
  } else {
    waker ??= setInterval(() => {
      for (const each of busy) each.wake();
    }, WAKE_EVERY_MS).unref();
  }
}
