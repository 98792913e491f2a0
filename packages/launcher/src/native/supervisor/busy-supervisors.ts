// Wakes supervisors that have a command, and their guardians, once a second: the command may have stopped them
// (SIGSTOP). Many are woken a few at a time: each wake is a call or two and a process that runs, and a thousand of them
// at once would hold up everything else for tens of milliseconds.

interface Wakeable {
  wake(): void;
}

const WAKE_EVERY_MS = 1000;
/** So many at once are not felt. */
const FEW = 32;
const MAX_SHARES = 50;

/** Those that wait longest first. */
const busy = new Set<Wakeable>();
let waker: NodeJS.Timeout | undefined;

export function setBusy(supervisor: Wakeable, isBusy: boolean): void {
  if (isBusy) busy.add(supervisor);
  else busy.delete(supervisor);
  if (busy.size === 0) {
    clearTimeout(waker);
    waker = undefined;
  } else {
    waker ??= wakeLater();
  }
}

function wakeLater(): NodeJS.Timeout {
  return setTimeout(wakeShare, WAKE_EVERY_MS / shareCount()).unref();
}

function wakeShare(): void {
  const share = Math.ceil(busy.size / shareCount());
  for (const each of [...busy].slice(0, share)) {
    busy.delete(each);
    busy.add(each);
    each.wake();
  }
  waker = busy.size === 0 ? undefined : wakeLater();
}

const shareCount = (): number => Math.min(MAX_SHARES, Math.max(1, Math.ceil(busy.size / FEW)));
