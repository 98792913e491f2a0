// What the descriptor of a method does not say: what it is for, and which errors it answers with. Complete by type, so that a new method has its line in the document.
import type { MethodName } from '../../src/schema/method-descriptors.ts';

export interface MethodNotes {
  readonly summary: string;
  /** Beyond -32602 for parameters and -32600 out of turn, which every request may answer. */
  readonly errors?: readonly (readonly [code: number, when: string])[];
}

const UNKNOWN_PROCESS = [-32600, 'there is no process of that id in the session'] as const;
const UNSEEN = [-32600, 'there is no such session that may be seen, or no such process in it'] as const;
const NOT_PERMITTED = [-32011, 'the connection has not been granted this'] as const;
const WATCHED = [UNSEEN, NOT_PERMITTED] as const;
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
      'Output after `afterSeq`, or the next event within `waitMs`. `nextSeq` minus one is the next `afterSeq`; `omitted` counts what is no longer kept. Of more than 128 reads that wait for one process the oldest is answered before its time, as if that was up.',
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
      'Ends a running command and its whole tree. `running` says whether it was running. The end itself is told by `process/exited` and `process/closed`. Mode `tree` also ends what a command left in the background when it exited, and answers when nothing of it is left.',
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
  'fs/writeTree': {
    summary:
      'Writes many entries below a directory, or one file. Links below it are never followed; modes are set before contents. Repeating it leaves the same tree.',
    errors: FILE,
  },
  'fs/readTree': {
    summary:
      'Some entries of a tree, or a piece of a file, with contents, and where to go on. Links are links; what is left out is listed.',
    errors: FILE,
  },
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
  'sessions/list': { summary: 'The sessions that the observer may see.', errors: [NOT_PERMITTED] },
  'observe/processes': { summary: 'The processes of one session or of all.', errors: WATCHED },
  'observe/open': {
    summary:
      'Watches a process from any event on. What is kept comes first, then what happens; both as `observe/output` and its kin, at most `windowBytes` beyond the last `observe/ack`. A watch neither stalls the command nor keeps output: who falls behind gets `observe/gap`.',
    errors: [...WATCHED, [-32600, 'also: the name is in use, or there are too many watches']],
  },
  'observe/close': { summary: 'Ends a watch. Ending one that is over is harmless.' },
  'observe/ack': { summary: 'The observer has taken everything up to `seq`.' },
  'observe/read': {
    summary: 'Output after `afterSeq` with times and sizes; changes nothing for anybody.',
    errors: WATCHED,
  },
  'observe/tree': {
    summary:
      'What is alive of the tree of a process: the command and everything that it started, daemons included.',
    errors: WATCHED,
  },
  'observe/output': { summary: 'A piece of output of a watched process.' },
  'observe/gap': { summary: 'Events of a watched process that will not come, counted.' },
  'observe/resized': { summary: 'The terminal got another size before the event `seq`.' },
  'observe/exited': { summary: 'The watched command has ended.' },
  'observe/closed': { summary: 'All output of the watched process has ended.' },
  'observe/ended': { summary: 'Nothing more comes from this watch.' },
  'observe/readDirectory': {
    summary: 'A directory, as far as the policy of the process lets its command see it.',
    errors: [...WATCHED, ...FILE],
  },
  'observe/readFile': {
    summary:
      'A part of a file that the policy of the process lets its command read. Without a policy there is nothing to read, unless the observer could open a session of its own.',
    errors: [...WATCHED, ...FILE],
  },
  'journal/read': { summary: 'What happened after `afterSeq`.', errors: [UNSEEN, NOT_PERMITTED] },
  'journal/subscribe': {
    summary: 'Sends `journal/events` from now on. A second one replaces the first.',
    errors: [UNSEEN, NOT_PERMITTED],
  },
  'journal/unsubscribe': { summary: 'Ends that.' },
  'journal/events': { summary: 'What happened, and what of it is no longer kept.' },
  'sandbox/explain': {
    summary:
      'The policy of a process as sentences and as a tree, which rule decides about a path, and the smallest change that allows it.',
    errors: [...WATCHED, [-32602, 'also: the policy of `whatIf` is not valid']],
  },
  'control/signal': { summary: 'Sends a signal to a command of another session.', errors: WATCHED },
  'control/terminate': {
    summary: 'Ends a running command of another session, and its whole tree.',
    errors: WATCHED,
  },
  'control/write': { summary: 'Types into a command of another session.', errors: WATCHED },
  'control/resize': { summary: 'Sets the size of a terminal of another session.', errors: WATCHED },
  'session/observed': {
    summary: 'How many observers watch a process of the session, to an owner that asked for `interventions`.',
  },
  'session/intervention': {
    summary: 'Somebody else acted on a process, to an owner that asked for `interventions`.',
  },
  'approvals/ask': {
    summary:
      'Asks the people who watch. Answers when one has decided, when the time is over, or at once when nobody is there who may decide.',
    errors: [[-32600, 'the session has too many approvals open']],
  },
  'approvals/withdraw': { summary: 'The question is no longer asked.' },
  'approvals/list': { summary: 'What is asked, and what was decided lately.', errors: [NOT_PERMITTED] },
  'approvals/decide': {
    summary: 'Decides. The first decision wins; a later one is told what it was.',
    errors: [[-32600, 'there is no such question, or no such choice'], NOT_PERMITTED],
  },
  'approvals/changed': { summary: 'A question was asked, decided, withdrawn, or has expired.' },
  'console/shareTicket': {
    summary:
      'For a page that came with a ticket: one like its own, for another tab of the same origin. A few a minute at most.',
    errors: [NOT_PERMITTED],
  },
  'console/createTicket': {
    summary: 'A ticket with which a page of the console opens one connection as an observer.',
    errors: [NOT_PERMITTED],
  },
};
