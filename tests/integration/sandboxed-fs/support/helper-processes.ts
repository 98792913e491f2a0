// The processes that this test process has started for sandboxed files, by their pids on the host.
import { readdirSync, readFileSync } from 'node:fs';
import { fileHelper } from './sandboxed-fs-fixture.js';

export function helperPids(): number[] {
  const wanted = fileHelper().argv.join('\0');
  return descendants((words) => words.join('\0').startsWith(wanted));
}

/** Those with `argument` as their first. */
export function childrenNamed(argument: string): number[] {
  return descendants((words) => words[1] === argument);
}

function descendants(isWanted: (words: readonly string[]) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isWanted(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')) && isDescendant(pid);
      } catch {
        return false;
      }
    });
}

function isDescendant(pid: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true;
    const status = readFileSync(`/proc/${at}/status`, 'utf8');
    at = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  }
  return false;
}
