// Which Bash of this host can be intercepted, and how. Never one that is not: each is tried before it is chosen.
import { realpathSync } from 'node:fs';
import { type EscalationPrograms, locatePrograms } from '../broker/locate-programs.js';
import { EscalationError } from '../escalation-error.js';
import { patchedBashPath } from './patched-bash.js';
import { probeShell } from './probe-shell.js';

export interface ShellChoice {
  /** `patched`: Bash itself asks, and so do its child shells. `preload`: a library asks for this one shell. */
  readonly kind: 'patched' | 'preload';
  /** What to execute, outside of a sandbox and inside. */
  readonly bash: string;
  /** For the shell, besides what its call says. The shell takes them out of its environment where children must not have them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files that must be readable inside the sandbox, or are executed outside: no command may change them. */
  readonly files: readonly string[];
  /** Programs that our Bash stands in place of inside the sandbox, so that child shells and `#!/bin/bash` ask too. */
  readonly covers: readonly string[];
}

export interface ChooseShellOptions {
  /** This Bash and no other. */
  readonly bash?: string;
  readonly programs?: EscalationPrograms;
  readonly environment?: NodeJS.ProcessEnv;
}

const SYSTEM_SHELLS = ['/bin/bash', '/usr/bin/bash'];
const WAYS = { patched: 'as a patched Bash', preload: 'by the library' } as const;

/** Rejects with NO_SHELL and why, one sentence for each that was tried. */
export async function chooseShell(options: ChooseShellOptions = {}): Promise<ShellChoice> {
  const programs = options.programs ?? locatePrograms();
  const patched = options.bash ?? patchedBashPath(options.environment);
  const candidates = [
    patchedShell(patched, programs),
    ...(options.bash === undefined ? SYSTEM_SHELLS.slice(0, 1) : [options.bash]).map((bash) =>
      preloadedShell(bash, programs),
    ),
  ];
  const reasons: string[] = [];
  for (const candidate of candidates) {
    const reason = await probeShell(candidate);
    if (reason === undefined) return candidate;
    reasons.push(`${candidate.bash} (${WAYS[candidate.kind]}): ${reason}`);
  }
  const what =
    options.bash === undefined
      ? 'no Bash of this host can be intercepted'
      : `${options.bash} cannot be intercepted`;
  throw new EscalationError('NO_SHELL', `${what}. ${reasons.join('; ')}`);
}

function patchedShell(bash: string, programs: EscalationPrograms): ShellChoice {
  return {
    kind: 'patched',
    bash,
    environment: { BASH_EXEC_WRAPPER: programs.wrapper },
    files: [bash, programs.wrapper, programs.broker],
    covers: [...new Set(SYSTEM_SHELLS.map(realPathOf).filter((path) => path !== undefined))],
  };
}

function preloadedShell(bash: string, programs: EscalationPrograms): ShellChoice {
  return {
    kind: 'preload',
    bash,
    environment: {
      BASH_EXEC_WRAPPER: programs.wrapper,
      LD_PRELOAD: programs.preload,
      CODEX_INTERCEPTED_SHELL: realPathOf(bash) ?? bash,
    },
    files: [bash, programs.preload, programs.wrapper, programs.broker],
    covers: [],
  };
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What to execute. The name after the command is what the shell calls itself in its messages. */
export function shellCommandLine(
  shell: Pick<ShellChoice, 'bash'>,
  { command, login }: { readonly command: string; readonly login: boolean },
): string[] {
  return [shell.bash, login ? '-lc' : '-c', command, 'bash'];
}
