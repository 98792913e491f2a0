// The server's clock: none of its timers keeps the process alive.

export { backgroundClock as systemClock, type Clock, type Timer } from '@codex/exec-rpc';
