// A tool on a server, with everything it tells written down, and what it left running.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecServerClient } from '@codex/exec-client';
import { UnifiedExec, type UnifiedExecEvent, type UnifiedExecOptions } from '@codex/unified-exec';

export interface Watched extends AsyncDisposable {
  readonly tool: UnifiedExec;
  readonly events: UnifiedExecEvent[];
  /** The types of all events but deltas, whose number is a matter of speed. */
  types(): Promise<string[]>;
  /** All output that was told of one call. */
  told(callId: string): string;
}

export function watched(client: ExecServerClient, options: UnifiedExecOptions = {}): Watched {
  // Commands run in login shells: what the user of this machine has in a profile is none of the tests'.
  const tool = new UnifiedExec(client, { childEnv: { HOME: '/nonexistent' }, ...options });
  const events: UnifiedExecEvent[] = [];
  const reading = (async () => {
    for await (const event of tool.events()) events.push(event);
  })();
  return {
    tool,
    events,
    types: async () => {
      // The reader has its turn behind the call that told something.
      await new Promise((resolve) => setImmediate(resolve));
      return events.filter(({ type }) => type !== 'delta').map(shown);
    },
    told: (callId) =>
      events
        .filter((event) => event.type === 'delta' && event.callId === callId)
        .map((event) => (event.type === 'delta' ? Buffer.from(event.bytes).toString() : ''))
        .join(''),
    [Symbol.asyncDispose]: async () => {
      await tool[Symbol.asyncDispose]();
      await reading;
    },
  };
}

function shown(event: UnifiedExecEvent): string {
  if (event.type === 'attempt')
    return `attempt ${event.attempt} ${event.sandboxed ? 'sandboxed' : 'out'} ${event.state}`;
  if (event.type === 'approval') return `approval ${event.reason} ${event.state}`;
  return event.type;
}

/** The session in the text of a result. */
export function sessionIn(text: string): number {
  const id = /^Process running with session ID (\d+)$/m.exec(text)?.[1];
  if (id === undefined) throw new Error(`no session in:\n${text}`);
  return Number(id);
}

/** What stands below `Output:`. */
export function bodyOf(text: string): string {
  const at = text.indexOf('\nOutput:\n');
  if (at === -1) throw new Error(`not the output of a command:\n${text}`);
  return text.slice(at + '\nOutput:\n'.length);
}

/** A folder outside of what every sandbox may write to. */
export function outside(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'unified-exec-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** How many processes of this machine have the words in their command line. */
export function processesWith(word: string): number {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(word);
    } catch {
      return false;
    }
  }).length;
}
