// The living processes of a tree with what /proc says of them: for people who want to know what still runs there. What
// ends meanwhile is left out. Linux only; the launcher has found them, so that nothing else of the host is looked at.
import { open } from 'node:fs/promises';
import type { ObserveTreeResult, TreeMember } from '@codex/exec-protocol';
import type { ProcessEntry } from '@codex/launcher';
import { maskedCommand } from '../../journal/mask-secrets.js';
import { listedCommand } from '../../process/read/listed-command.js';

const MAX_MEMBERS = 128;
/** So many at a time: each holds two buffers, and what else reads files has its turns. */
const AT_ONCE = 8;
/** USER_HZ, which Linux promises to programs, and the size of a page everywhere that it runs on here. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

const STATES: Readonly<Record<string, TreeMember['state']>> = {
  R: 'running',
  S: 'sleeping',
  D: 'waiting',
  T: 'stopped',
  t: 'stopped',
  I: 'sleeping',
};

export async function describeTree(entries: readonly ProcessEntry[] | undefined): Promise<ObserveTreeResult> {
  if (entries === undefined) return { known: false, members: [], omitted: 0 };
  const shown: (TreeMember | undefined)[] = [];
  for (let at = 0; at < Math.min(entries.length, MAX_MEMBERS); at += AT_ONCE) {
    const some = entries.slice(at, Math.min(at + AT_ONCE, MAX_MEMBERS));
    shown.push(...(await Promise.all(some.map(describeMember))));
  }
  return {
    known: true,
    members: shown.filter((member) => member !== undefined),
    omitted: Math.max(0, entries.length - MAX_MEMBERS),
  };
}

async function describeMember({ pid, parent, startTime }: ProcessEntry): Promise<TreeMember | undefined> {
  try {
    const [stat, command] = await Promise.all([
      beginning(`/proc/${pid}/stat`, 'latin1'),
      beginning(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const begin = stat.indexOf('(');
    const close = stat.lastIndexOf(')');
    const fields = stat.slice(close + 2).split(' ');
    // Another process has its number by now.
    if (fields[19] !== startTime) return undefined;
    const words = command.replace(/\0$/, '').split('\0');
    // A kernel thread, or one that has cleared its own: its name is what is left.
    const argv = command === '' ? [`[${stat.slice(begin + 1, close)}]`] : words;
    return {
      pid,
      parentPid: parent,
      argv: maskedCommand(listedCommand(argv)),
      state: STATES[fields[0] ?? ''] ?? 'other',
      cpuMs: Math.round(((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND),
      residentBytes: Math.max(0, Number(fields[21])) * PAGE_BYTES,
    };
  } catch {
    return undefined;
  }
}

/** Enough for what is shown: a command line can be megabytes long, and a tree has many. */
const MAX_BYTES = 16 * 1024;

async function beginning(path: string, encoding: BufferEncoding): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString(encoding, 0, bytesRead);
  } finally {
    await file.close();
  }
}
