// `process/start`: its params, its refusals, and the surroundings a command finds itself in.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';

export const PROCESS_START = [
  {
    id: 'process.start.reply',
    source,
    behaviour: 'The reply repeats the `processId` and says `sandboxType: "none"` without a sandbox.',
  },
  {
    id: 'process.start.required-fields',
    source,
    behaviour: 'A missing processId, argv, cwd or env is -32602 and named.',
  },
  {
    id: 'process.start.without-tty',
    source: ours,
    behaviour: 'A start without `tty` and without `io` runs on pipes.',
  },
  { id: 'process.start.field-types', source, behaviour: 'A field of the wrong type is -32602.' },
  {
    id: 'process.start.unknown-members',
    source,
    behaviour: 'Unknown members, null options and `metadata` are accepted.',
  },
  { id: 'process.start.empty-argv', source, behaviour: 'An empty argv is -32602 `argv must not be empty`.' },
  { id: 'process.start.empty-program', source, behaviour: 'An empty program name is refused.' },
  {
    id: 'process.start.missing-program',
    source,
    behaviour: 'A program that does not exist is -32603 with the text of the system, on pipes and ptys.',
  },
  {
    id: 'process.start.program-not-on-path',
    source,
    behaviour: 'A name that PATH does not lead to is -32603 with the text of the system.',
  },
  {
    id: 'process.start.not-executable',
    source,
    behaviour:
      'A file without execute permission, or a directory, is -32603 `Permission denied (os error 13)`.',
  },
  {
    id: 'process.start.missing-cwd',
    source,
    behaviour: 'A cwd that does not exist is -32603 with the text of the system, on pipes.',
  },
  {
    id: 'process.start.cwd-is-a-file',
    source,
    behaviour: 'A cwd that is a file is -32603 `Not a directory (os error 20)`.',
  },
  {
    id: 'process.start.missing-cwd-pty',
    source: ours,
    behaviour: 'A cwd that does not exist is an error on a pty too, never another directory.',
  },
  {
    id: 'process.start.nul-bytes',
    source,
    behaviour: 'NUL bytes in argv or env are refused, on pipes and ptys.',
  },
  {
    id: 'process.start.arguments-too-long',
    source,
    behaviour: 'Arguments beyond the limits of the system are -32603 `Argument list too long (os error 7)`.',
  },
  {
    id: 'process.start.equals-in-name',
    source: ours,
    behaviour: 'A variable name that is empty or has a `=` is refused.',
  },
  { id: 'process.start.failure-frees-id', source, behaviour: 'The id of a refused start can be used again.' },
  {
    id: 'process.start.failure-is-silent',
    source,
    behaviour: 'A refused start is followed by no notification.',
  },
  {
    id: 'process.start.duplicate-id',
    source,
    behaviour: 'The id of a running or exited process is refused with -32600 `process <id> already exists`.',
  },
  {
    id: 'process.start.odd-ids',
    source,
    behaviour: 'Any string is a process id: empty, long, with escapes, `__proto__`.',
  },
  {
    id: 'process.start.cwd',
    source,
    behaviour: 'The command runs in the directory that the `file:` URI names, escapes decoded.',
    needs: ['shared-host'],
  },
  {
    id: 'process.start.cwd-refused',
    source,
    behaviour:
      'A cwd with another scheme, a host, a drive, a query, a fragment, a NUL or without a root is -32602.',
  },
  {
    id: 'process.start.cwd-path',
    source: 'exec-server README',
    behaviour: 'An absolute path is accepted as cwd.',
    needs: ['extension:absolutePaths', 'shared-host'],
  },
  {
    id: 'process.start.environment',
    source,
    behaviour: 'Without a policy the environment is exactly `env`, on pipes.',
  },
  {
    id: 'process.start.path-of-child',
    source,
    behaviour: 'A program without a slash is looked up in the PATH of `env`.',
    needs: ['shared-host'],
  },
  {
    id: 'process.start.arg0',
    source,
    behaviour: '`arg0` is what the command sees as its own name, on pipes.',
  },
  {
    id: 'process.start.arg0-pty',
    source: ours,
    behaviour: '`arg0` is only the name on a pty too: the program is still argv[0].',
  },
  {
    id: 'process.start.stdin-closed',
    source: 'exec-server README',
    behaviour: 'Without a tty and without `pipeStdin` the command reads the end of its input at once.',
  },
  { id: 'process.start.pipes', source, behaviour: 'Without a tty none of the three streams is a terminal.' },
  {
    id: 'process.start.tty',
    source,
    behaviour: 'With a tty all three streams are one terminal of 24 rows and 80 columns.',
  },
  {
    id: 'process.start.controlling-terminal',
    source,
    behaviour: 'With a tty the command can open `/dev/tty`; without one it cannot.',
  },
  {
    id: 'process.start.own-session',
    source,
    behaviour: 'The command leads a session and a process group of its own.',
  },
  {
    id: 'process.start.no-stray-descriptors',
    source,
    behaviour: 'The command inherits no descriptor beyond its three streams.',
  },
  {
    id: 'process.start.signals-reset',
    source,
    behaviour: 'The command starts with default signal handling and an empty signal mask.',
  },
  { id: 'process.start.many-at-once', source, behaviour: 'Fifty starts sent without waiting all run.' },
  {
    id: 'process.start.sees-earlier-file',
    source: ours,
    behaviour:
      'A start sees a file that an earlier request on its connection writes, even when neither waits.',
    needs: ['shared-host'],
  },
  {
    id: 'process.environment.policy-fields',
    source,
    behaviour: 'A policy with a missing member or an unknown `inherit` is -32602.',
  },
  {
    id: 'process.environment.inherit-none',
    source,
    behaviour: 'With `inherit: "none"` only `set` and `env` are there.',
  },
  {
    id: 'process.environment.inherit-core',
    source,
    behaviour: 'With `inherit: "core"` nothing but the core names comes from the server.',
    needs: ['planted-environment'],
  },
  {
    id: 'process.environment.inherit-all',
    source,
    behaviour: 'With `inherit: "all"` the variables of the server are there.',
    needs: ['planted-environment'],
  },
  {
    id: 'process.environment.default-excludes',
    source,
    behaviour:
      'Names with KEY, SECRET or TOKEN are dropped unless `ignoreDefaultExcludes`, whatever their case.',
    needs: ['planted-environment'],
  },
  {
    id: 'process.environment.exclude',
    source,
    behaviour:
      '`exclude` patterns drop inherited names: `*` and `?`, whole name, any case; `set` and `env` are not touched.',
    needs: ['planted-environment'],
  },
  {
    id: 'process.environment.include-only',
    source,
    behaviour: '`includeOnly` also filters `set`, but never `env`.',
  },
  {
    id: 'process.environment.overlay',
    source,
    behaviour: '`env` wins over `set`, and `set` over what is inherited.',
    needs: ['planted-environment'],
  },
  {
    id: 'process.environment.withheld',
    source,
    behaviour: 'Secrets of the server never reach a command: not inherited, not through `env`, in any case.',
    needs: ['planted-environment'],
  },
] as const satisfies readonly Requirement[];
