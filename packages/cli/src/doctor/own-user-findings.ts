// What no sandbox of this server takes away, because of the user it runs as and of how its program was installed.
import { statSync } from 'node:fs';
import type { Finding } from './examine-host.js';

export interface ServerFacts {
  /** Undefined where there are no user ids. */
  readonly uid: number | undefined;
  /** Names of the program's file, on the whole file system. Undefined when it cannot be looked at. */
  readonly programLinks: number | undefined;
}

export function ownUserFindings({ uid, programLinks = 1 }: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (uid === 0) {
    findings.push({
      topic: 'user',
      status: 'weaker',
      detail:
        'root: sandboxed commands can change mode and times of the device files of the host (/dev/null …)',
      fix: 'run servers as an ordinary user',
    });
  }
  if (programLinks > 1) {
    findings.push({
      topic: 'program',
      status: 'weaker',
      detail: `its file has ${programLinks} names (pnpm links it into its store): through another one a command that may write there changes it`,
      fix: 'grant no command its other names, or install with package-import-method=copy',
    });
  }
  return findings;
}

export function serverFacts(): ServerFacts {
  return { uid: process.getuid?.(), programLinks: linksOf(process.argv[1]) };
}

function linksOf(program: string | undefined): number | undefined {
  try {
    return program === undefined ? undefined : statSync(program).nlink;
  } catch {
    return undefined;
  }
}
