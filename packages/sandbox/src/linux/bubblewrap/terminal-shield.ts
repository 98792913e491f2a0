// Keeps terminal signals away from bubblewrap. On a terminal the wrapper and the command share the foreground, so
// Ctrl-C would end the wrapper, and with it the command before its own handler has run. The wrapper is started with
// those signals ignored, and the command gets them back to normal.
import type { LinuxHost } from '../host-probe.js';

const signals = 'INT,QUIT,TSTP';

export interface ShieldedCommand {
  readonly before: readonly string[];
  readonly inside: readonly string[];
  readonly warnings: readonly string[];
}

export function shieldFromTerminal(host: LinuxHost, program: string): ShieldedCommand {
  // To env, a word with `=` is a variable and not a program.
  if (host.signalEnv === undefined || program.includes('=')) {
    const warning =
      'without GNU env 8.31, Ctrl-C on the terminal ends the sandbox at once instead of reaching the command';
    return { before: [], inside: [], warnings: [warning] };
  }
  return {
    before: [host.signalEnv, `--ignore-signal=${signals}`],
    inside: [host.signalEnv, `--default-signal=${signals}`],
    warnings: [],
  };
}
