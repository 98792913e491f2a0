// The process API of the design notes, which the servers in the field do not have.
import type { Requirement } from './requirement.js';

const source = 'design notes';
const ours = 'this project: docs/differences.md';

export const PROCESS_EXTENSIONS = [
  {
    id: 'process.start.io-pipe',
    source,
    behaviour: '`io: {type: "pipe", stdin}` opens or closes stdin.',
    needs: ['extension:processStartIo'],
  },
  {
    id: 'process.start.io-pty',
    source,
    behaviour: '`io: {type: "pty", rows, cols}` starts a terminal of that size.',
    needs: ['extension:processStartIo'],
  },
  {
    id: 'process.start.io-refused',
    source,
    behaviour: 'An `io` that is incomplete or of an unknown type is -32602.',
    needs: ['extension:processStartIo'],
  },
  {
    id: 'process.start.direct',
    source,
    behaviour: 'The form `kind: "direct"` with `io` starts a command.',
    needs: ['extension:processStartIo'],
  },
  {
    id: 'process.start.prepared',
    source,
    behaviour: 'The form `kind: "prepared"` starts its request exactly as it stands.',
    needs: ['extension:processStartPrepared'],
  },
  {
    id: 'process.start.unknown-kind',
    source,
    behaviour: 'Another `kind` is -32602.',
    needs: ['extension:processStartPrepared'],
  },
  {
    id: 'process.closeStdin.end-of-input',
    source,
    behaviour: 'Closing stdin ends the input of the command after what was written before.',
    needs: ['extension:processCloseStdin'],
  },
  {
    id: 'process.closeStdin.repeated',
    source,
    behaviour: 'Closing twice is harmless, and a later write has the status `stdinClosed`.',
    needs: ['extension:processCloseStdin'],
  },
  {
    id: 'process.closeStdin.pipelined',
    source,
    behaviour: 'Start, write and close sent without waiting take effect in that order.',
    needs: ['extension:processCloseStdin'],
  },
  {
    id: 'process.closeStdin.unknown',
    source,
    behaviour: 'Closing the stdin of an unknown process is -32600 `unknown process id <id>`.',
    needs: ['extension:processCloseStdin'],
  },
  {
    id: 'process.resize.size',
    source,
    behaviour: 'A resize changes the size of the terminal and the command is told by SIGWINCH.',
    needs: ['extension:processResize'],
  },
  {
    id: 'process.resize.numbers',
    source,
    behaviour: 'Rows and columns that are no 16-bit numbers are -32602.',
    needs: ['extension:processResize'],
  },
  {
    id: 'process.resize.unknown',
    source,
    behaviour: 'Resizing an unknown process is -32600 `unknown process id <id>`.',
    needs: ['extension:processResize'],
  },
  {
    id: 'process.wait.exit',
    source,
    behaviour: 'A wait ends when the command exits and has its exit code.',
    needs: ['extension:processWait'],
  },
  {
    id: 'process.wait.already-exited',
    source,
    behaviour: 'A wait for an exited command answers at once.',
    needs: ['extension:processWait'],
  },
  {
    id: 'process.wait.timeout',
    source,
    behaviour: 'A wait that times out says so, and the command runs on.',
    needs: ['extension:processWait'],
  },
  {
    id: 'process.wait.closed',
    source,
    behaviour: 'With `until: "closed"` a wait ends when the output has ended too.',
    needs: ['extension:processWait', 'shared-host'],
  },
  {
    id: 'process.wait.concurrent',
    source,
    behaviour: 'Waits delay nothing: other requests are answered meanwhile.',
    needs: ['extension:processWait'],
  },
  {
    id: 'process.wait.unknown',
    source,
    behaviour: 'Waiting for an unknown process is -32600 `unknown process id <id>`.',
    needs: ['extension:processWait'],
  },
  {
    id: 'process.snapshot.pipes',
    source,
    behaviour: 'A snapshot has stdout and stderr apart, and an empty terminal.',
    needs: ['extension:processSnapshot'],
  },
  {
    id: 'process.snapshot.pty',
    source,
    behaviour: 'A snapshot of a pty has its output as `terminal`.',
    needs: ['extension:processSnapshot'],
  },
  {
    id: 'process.snapshot.running',
    source,
    behaviour: 'A snapshot says whether the command runs, and its exit code afterwards.',
    needs: ['extension:processSnapshot'],
  },
  {
    id: 'process.snapshot.truncated',
    source,
    behaviour: 'A snapshot of very much output is truncated and counts what it leaves out.',
    needs: ['extension:processSnapshot'],
  },
  {
    id: 'process.snapshot.unknown',
    source,
    behaviour: 'A snapshot of an unknown process is -32600 `unknown process id <id>`.',
    needs: ['extension:processSnapshot'],
  },
  {
    id: 'process.list.states',
    source: ours,
    behaviour: 'The list names every process of the session with its state, and none of another session.',
    needs: ['extension:processList'],
  },
  {
    id: 'process.signal.any',
    source: ours,
    behaviour: 'Any POSIX signal name is accepted: the trap runs and its exit code counts.',
    needs: ['extension:processSignalAny'],
  },
  {
    id: 'process.signal.stop-and-continue',
    source: ours,
    behaviour: 'SIGSTOP and SIGCONT stop and continue the command.',
    needs: ['extension:processSignalAny'],
  },
  {
    id: 'process.terminate.graceful',
    source,
    behaviour: 'A graceful end lets the command run its trap; its exit code counts.',
    needs: ['extension:processTerminateMode'],
  },
  {
    id: 'process.terminate.graceful-timeout',
    source,
    behaviour: 'A command that does not end within the graceful time is killed.',
    needs: ['extension:processTerminateMode'],
  },
  {
    id: 'process.terminate.force',
    source,
    behaviour: '`mode: {type: "force"}` is the same as no mode.',
    needs: ['extension:processTerminateMode'],
  },
  {
    id: 'process.terminate.tree',
    source: ours,
    behaviour:
      'Mode `tree` ends what an ended command left in the background; afterwards nothing is left to end.',
    needs: ['extension:processTerminateTree'],
  },
  {
    id: 'process.terminate.mode-refused',
    source,
    behaviour: 'An unknown mode, or a graceful one without a time, is -32602 and ends nothing.',
    needs: ['extension:processTerminateMode'],
  },
  {
    id: 'process.started.on-request',
    source,
    behaviour: '`process/started` with the pid comes before the output, to clients that asked for it.',
    needs: ['extension:lifecycleNotifications'],
  },
  {
    id: 'process.started.not-unasked',
    source: ours,
    behaviour: 'A client that did not ask hears no lifecycle notification.',
    needs: ['extension:lifecycleNotifications'],
  },
] as const satisfies readonly Requirement[];
