// What the descriptor of a method does not say: what it is for, and which errors it answers with. Complete by type, so that a new method has its line in the document.
import type { MethodName } from '../../src/schema/method-descriptors.ts';

export interface MethodNotes {
  readonly summary: string;
  /** Beyond -32602 for parameters and -32600 out of turn, which every request may answer. */
  readonly errors?: readonly (readonly [code: number, when: string])[];
}

const UNKNOWN_PROCESS = [-32600, 'there is no process of that id in the session'] as const;
const NOT_FOUND = [-32004, 'the path does not exist'] as const;
const REFUSED = [-32600, 'the path may not be used: permissions, the sandbox, or its form'] as const;
const FAILED = [-32603, 'the operating system failed; the message is its text'] as const;
const FILE = [NOT_FOUND, REFUSED, FAILED] as const;

export const METHOD_NOTES: { readonly [M in MethodName]: MethodNotes } = {
  initialize: {
    summary:
      'Opens a session, or resumes one. A client that sends the key `resumeSessionId`, also as null, can come back after a lost connection; one that does not cannot, and its processes end with its connection.',
    errors: [
      [-32600, 'the session is unknown or has expired, or the connection has one already'],
      [-32010, 'another connection holds the session and answers; try again'],
    ],
  },
  initialized: {
    summary: 'Says that the reply to `initialize` has arrived. Everything else needs it first.',
  },
  'environment/info': { summary: 'What kind of machine this is, and what the server can do.' },
  'environment/status': { summary: 'A cheap question that a live server answers at once.' },
  'environmentConfig/read': {
    summary: "Reads the layers of Codex's configuration on the server's machine.",
    errors: [[-32603, 'a configuration file cannot be read or is not valid']],
  },
  'process/start': {
    summary:
      'Starts a command under an id that the client chooses. The reply comes before everything else about the process.',
    errors: [
      [-32600, 'the id is in use, a limit is reached, or the start was cancelled'],
      [-32602, 'also: the sandbox cannot be enforced on this machine; the message has the reason'],
      [-32603, 'the command could not be started; the message is the text of the system'],
    ],
  },
  'process/read': {
    summary:
      'Output after `afterSeq`, or the next event within `waitMs`. `nextSeq` minus one is the next `afterSeq`; `omitted` counts what is no longer kept.',
    errors: [UNKNOWN_PROCESS],
  },
  'process/write': {
    summary:
      'Input for the command. A repeated `writeId` is accepted and not written again. What cannot be written is a `status`, not an error.',
  },
  'process/closeStdin': {
    summary: 'Ends the input of a command on pipes, after everything written before.',
    errors: [UNKNOWN_PROCESS],
  },
  'process/resize': {
    summary: 'Sets the size of the terminal.',
    errors: [UNKNOWN_PROCESS],
  },
  'process/signal': {
    summary:
      'Sends a signal to the command. `interrupt` everywhere; other names where `processSignalAny` is announced.',
  },
  'process/terminate': {
    summary:
      'Ends a running command and its whole tree. `running` says whether it was running. The end itself is told by `process/exited` and `process/closed`.',
  },
  'process/wait': {
    summary: 'Answers when the command has exited, or with `until: "closed"` when its output has ended too.',
    errors: [UNKNOWN_PROCESS],
  },
  'process/snapshot': {
    summary: 'The beginning and the end of the output so far, by stream.',
    errors: [UNKNOWN_PROCESS],
  },
  'process/list': { summary: 'The processes of the session.' },
  'process/output': { summary: 'A piece of output, in the order of `seq`.' },
  'process/exited': {
    summary:
      'The command has ended; everything that it wrote itself came before. `sandboxDenied` says that the sandbox is the probable cause.',
  },
  'process/closed': { summary: 'All output has ended. The last event of a process.' },
  'process/started': {
    summary: 'The pid, to clients that initialised with `lifecycleNotifications`.',
  },
  'process/failed': {
    summary: 'The process was lost for another reason than its own end.',
  },
  'fs/readFile': { summary: 'A whole file.', errors: FILE },
  'fs/writeFile': { summary: 'Writes a whole file; it is created, or replaced.', errors: FILE },
  'fs/open': { summary: 'Opens a file under a handle that the client chooses.', errors: FILE },
  'fs/readBlock': {
    summary: 'A part of an open file.',
    errors: [[-32004, 'there is no such handle'], FAILED],
  },
  'fs/writeBlock': {
    summary: 'Writes a part of an open file.',
    errors: [[-32004, 'there is no such handle'], FAILED],
  },
  'fs/close': { summary: 'Closes a handle. Closing one that is gone is harmless.', errors: [FAILED] },
  'fs/createDirectory': { summary: 'Creates a directory, with its parents if asked.', errors: FILE },
  'fs/getMetadata': { summary: 'Kind, size and times of a path.', errors: FILE },
  'fs/canonicalize': { summary: 'The path with every link followed.', errors: FILE },
  'fs/readDirectory': { summary: 'The entries of a directory.', errors: FILE },
  'fs/walk': { summary: 'The entries of a tree, bounded; says when it was cut.', errors: FILE },
  'fs/remove': { summary: 'Removes a file or a tree. Links are removed, never followed.', errors: FILE },
  'fs/copy': { summary: 'Copies a file or a tree.', errors: FILE },
  'fs/rename': { summary: 'Renames within one file system.', errors: FILE },
  'fs/watch': {
    summary: 'Tells changes of a directory or a tree from now on.',
    errors: FILE,
  },
  'fs/unwatch': { summary: 'Ends a watch.' },
  'fs/changed': {
    summary:
      'Changes of a watched place. `overflow` says that some are missing and the place must be read again.',
  },
  'fs/watchMissing': {
    summary: 'Tells when paths that do not exist yet appear.',
    errors: [REFUSED],
  },
  'fs/missingChanged': { summary: 'One of those paths may have appeared.' },
  'capabilityRoots/discoverV1': {
    summary: "Finds Codex's skills and plugins below directories.",
    errors: FILE,
  },
  'capabilities/discoverV2': {
    summary: "Finds what is installed for Codex on the server's machine.",
  },
  'http/request': {
    summary: "An HTTP request from the server's machine.",
    errors: [[-32603, 'the request could not be sent, or broke off']],
  },
  'http/request/bodyDelta': { summary: 'A piece of a streamed response.' },
};
