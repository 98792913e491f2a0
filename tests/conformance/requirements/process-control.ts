// Input, signals and ends.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';

export const PROCESS_CONTROL = [
  {
    id: 'process.write.accepted',
    source,
    behaviour: 'Input to a pipe reaches the command byte by byte as it was sent.',
  },
  { id: 'process.write.large', source, behaviour: 'A megabyte in one write reaches the command complete.' },
  { id: 'process.write.pty', source, behaviour: 'Input to a pty is echoed and reaches the command.' },
  {
    id: 'process.write.pty-end',
    source,
    behaviour: 'The end-of-file character ends the input of a command on a pty.',
  },
  {
    id: 'process.write.pty-interrupt',
    source,
    behaviour: 'The interrupt character interrupts a command on a pty.',
  },
  { id: 'process.write.pipelined', source, behaviour: 'Writes sent without waiting arrive in their order.' },
  {
    id: 'process.write.unknown-process',
    source,
    behaviour: 'A write to an unknown process has the status `unknownProcess`.',
  },
  {
    id: 'process.write.stdin-closed',
    source,
    behaviour: 'A write to a command without open stdin has the status `stdinClosed`.',
  },
  {
    id: 'process.write.after-exit',
    source,
    behaviour: 'A write to an exited command is answered with a status, never an error.',
  },
  {
    id: 'process.write.idempotent',
    source,
    behaviour: 'A repeated `writeId` is accepted and not written again; another process may use it.',
  },
  {
    id: 'process.write.empty-write-id',
    source,
    behaviour: 'An empty `writeId` is -32602 `writeId must not be empty`.',
  },
  {
    id: 'process.write.without-write-id',
    source: 'exec-server README',
    behaviour: 'A write without `writeId` is accepted, each time.',
  },
  {
    id: 'process.write.base64',
    source,
    behaviour: 'A chunk that is not strict base64 (padding, alphabet, white space, spare bits) is -32602.',
  },
  {
    id: 'process.signal.interrupt',
    source,
    behaviour: '`interrupt` runs the trap of the command, whose exit code counts.',
  },
  {
    id: 'process.signal.group',
    source,
    behaviour: '`interrupt` reaches the children in the group of the command.',
  },
  {
    id: 'process.signal.no-process',
    source,
    behaviour: 'A signal to an unknown or exited process answers `{}`.',
  },
  { id: 'process.signal.names', source, behaviour: 'An unknown signal name, or none, is -32602.' },
  {
    id: 'process.terminate.running',
    source,
    behaviour: 'Terminating a running command answers `running: true`, and exit and close follow.',
  },
  {
    id: 'process.terminate.exit-code',
    source,
    behaviour: 'A terminated command on pipes has the exit code 137.',
  },
  {
    id: 'process.terminate.exit-code-pty',
    source: ours,
    behaviour: 'A terminated command on a pty has the exit code 137.',
  },
  {
    id: 'process.terminate.not-running',
    source,
    behaviour: 'Terminating an unknown or exited process answers `running: false`.',
  },
  {
    id: 'process.terminate.stubborn',
    source,
    behaviour: 'A command that ignores SIGTERM, SIGINT and SIGHUP is terminated too.',
  },
  {
    id: 'process.terminate.group',
    source,
    behaviour: 'Terminating a running command ends its background children.',
    needs: ['shared-host'],
  },
  {
    id: 'process.terminate.whole-tree',
    source: ours,
    behaviour: 'Terminating a running command ends descendants in sessions of their own too.',
    needs: ['shared-host'],
  },
  {
    id: 'process.terminate.after-exit',
    source,
    behaviour: 'Terminating after the command has exited leaves its background children alone.',
    needs: ['shared-host'],
  },
  {
    id: 'process.terminate.flooding',
    source,
    behaviour: 'A command that writes without end is terminated while its output is pushed.',
  },
  {
    id: 'process.order.pipelined',
    source,
    behaviour: 'Start, write and terminate sent without waiting take effect in that order.',
  },
  {
    id: 'process.order.independent',
    source,
    behaviour: 'Requests for different processes sent without waiting are all answered.',
  },
] as const satisfies readonly Requirement[];
