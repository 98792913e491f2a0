// Which columns this machine can have: ours always, the others where their programs are.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REAL_CODEX_VERSION, realCodex } from '@codex/tests-real-codex';
import { bareNodeSubject } from './subjects/bare-node.js';
import { execServerSubject } from './subjects/exec-server-subject.js';
import { compileRelay } from './subjects/quick-ack-relay.js';
import type { ServerCommand } from './subjects/server-process.js';
import { sshSubject } from './subjects/ssh-subject.js';
import type { Subject } from './subjects/subject.js';

const here = dirname(fileURLToPath(import.meta.url));
const OURS = join(here, '..', '..', 'apps', 'codex', 'dist', 'codex.js');
const LISTEN = ['exec-server', '--listen', 'ws://127.0.0.1:0'];

export interface SubjectOptions {
  readonly folder: string;
  readonly withCodex: boolean;
  /** Other builds of ours, as `name=path of codex.js`: before and after in one run. */
  readonly builds: readonly string[];
  say(line: string): void;
}

export interface Subjects {
  readonly list: readonly Subject[];
  /** The name of the one that goals are against. */
  readonly peer: string | null;
  remove(): void;
}

export function chooseSubjects(options: SubjectOptions): Subjects {
  const { folder, withCodex, builds, say } = options;
  const ours = { name: 'ours', command: [process.execPath, OURS, ...LISTEN] };
  const real = withCodex ? realSubjects(options) : { list: [], remove: () => undefined };
  const ssh = sshSubject(folder, say);
  const list = [
    execServerSubject({ command: ours, folder, isOurs: true }),
    ...builds.map((build) => execServerSubject({ command: buildCommand(build), folder })),
    ...real.list,
    ...(ssh === undefined ? [] : [ssh]),
    bareNodeSubject(folder),
  ];
  return { list, peer: real.list[0]?.name ?? null, remove: real.remove };
}

/** A session for each of a thousand connections; there are 256 at most otherwise. */
const MANY_SESSIONS = ['--max-sessions', '2048'];

/** The exec-servers alone, ours first. */
export function serverCommands({ withCodex, say }: Pick<SubjectOptions, 'withCodex' | 'say'>): {
  readonly list: readonly ServerCommand[];
  remove(): void;
} {
  const ours = { name: 'ours', command: [process.execPath, OURS, ...LISTEN, ...MANY_SESSIONS] };
  if (!withCodex) return { list: [ours], remove: () => undefined };
  const { command, remove } = realCommand(say);
  return { list: [ours, command], remove };
}

function buildCommand(build: string): { name: string; command: string[] } {
  const [name = '', program = ''] = build.split('=', 2);
  return { name, command: [process.execPath, program, ...LISTEN] };
}

function realCommand(say: SubjectOptions['say']): { command: ServerCommand; remove(): void } {
  const codex = realCodex(say);
  const home = codex.makeHome();
  const name = `codex ${REAL_CODEX_VERSION}`;
  const command = { name, command: [codex.binary, ...LISTEN], env: { CODEX_HOME: home.path } };
  return { command, remove: () => home.remove() };
}

function realSubjects({ folder, say }: SubjectOptions): { list: readonly Subject[]; remove(): void } {
  const { command, remove } = realCommand(say);
  const { name } = command;
  const list = [execServerSubject({ command, folder })];
  const relayProgram = compileRelay(folder);
  if (relayProgram === undefined) say('No C compiler: the column for immediate acknowledgement is left out.');
  else {
    const relayed = { ...command, name: `${name}, ACK at once` };
    list.push(execServerSubject({ command: relayed, folder, relayProgram }));
  }
  return { list, remove };
}
