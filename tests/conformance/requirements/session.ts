// The handshake, its refusals, and sessions that outlive a connection.
import type { Requirement } from './requirement.js';

export const SESSION = [
  {
    id: 'session.initialize.session-id',
    source: 'exec-server 0.169.0',
    behaviour: '`initialize` answers with a UUID as `sessionId`, another one for each connection.',
  },
  {
    id: 'session.initialize.environment-info',
    source: 'exec-server 0.169.0',
    behaviour: '`initialize` answers with `environmentInfo`, the same object as `environment/info`.',
  },
  {
    id: 'session.initialize.client-name-required',
    source: 'exec-server 0.169.0',
    behaviour: '`initialize` without `clientName` is refused with -32602 and names the missing field.',
  },
  {
    id: 'session.initialize.client-name-type',
    source: 'exec-server 0.169.0',
    behaviour: 'A `clientName` that is not a string is refused with -32602; an empty one is accepted.',
  },
  {
    id: 'session.initialize.params-required',
    source: 'exec-server 0.169.0',
    behaviour: '`initialize` with absent or null params is refused with -32602.',
  },
  {
    id: 'session.initialize.unknown-members',
    source: 'exec-server 0.169.0',
    behaviour: '`initialize` ignores members that it does not know.',
  },
  {
    id: 'session.initialize.once',
    source: 'exec-server 0.169.0',
    behaviour: 'A second `initialize` is refused with -32600 and the first session stays usable.',
  },
  {
    id: 'session.initialize.retry-after-refusal',
    source: 'exec-server 0.169.0',
    behaviour: 'After a refused `initialize` another one on the same connection may succeed.',
  },
  {
    id: 'session.initialize.required-first',
    source: 'exec-server 0.169.0',
    behaviour: 'Before `initialize` each family is refused with -32600 and the family in the text.',
  },
  {
    id: 'session.initialized.required-second',
    source: 'exec-server 0.169.0',
    behaviour:
      'Between `initialize` and `initialized` each family is refused with -32600 and the family in the text.',
  },
  {
    id: 'session.refusals.in-order',
    source: 'exec-server 0.169.0',
    behaviour:
      'Requests sent without waiting before and between the two handshake steps are refused in the order they were sent.',
  },
  {
    id: 'session.refusals.params-before-state',
    source: 'exec-server 0.169.0',
    behaviour: 'Params are checked before the state: bad params are -32602 even before `initialize`.',
  },
  {
    id: 'session.refusals.method-before-state',
    source: 'exec-server 0.169.0',
    behaviour: 'An unknown method is -32601 even before `initialize`.',
  },
  {
    id: 'session.initialized.any-params',
    source: 'exec-server README',
    behaviour: 'The params of `initialized` are ignored, whatever their type.',
  },
  {
    id: 'session.initialized.silent',
    source: 'exec-server README',
    behaviour: '`initialized` gets no answer, and a repeated one changes nothing.',
  },
  {
    id: 'session.initialized.too-early',
    source: 'exec-server 0.169.0',
    behaviour:
      '`initialized` before `initialize` opens nothing: it ends the connection or gets an error with id -1.',
  },
  {
    id: 'session.initialized.not-a-request',
    source: 'exec-server 0.169.0',
    behaviour: '`initialized` with an id is an unknown method (-32601) and does not complete the handshake.',
  },
  {
    id: 'session.notification.unknown',
    source: 'exec-server README',
    behaviour: 'An unknown notification gets an error with id -1 and code -32600, and the connection lives.',
  },
  {
    id: 'session.notification.request-method',
    source: 'exec-server README',
    behaviour:
      'A request method sent without an id gets an error with id -1 and code -32600, and the connection lives.',
  },
  {
    id: 'session.response.stray',
    source: 'this project: docs/differences.md',
    behaviour:
      'A response or error from the client that answers nothing is ignored, and the connection lives.',
  },
  {
    id: 'session.resume.unknown',
    source: 'exec-server 0.169.0',
    behaviour: 'Resuming an unknown, empty or malformed session id is -32600 `unknown session id <id>`.',
  },
  {
    id: 'session.resume.id-type',
    source: 'exec-server 0.169.0',
    behaviour: 'A `resumeSessionId` that is neither a string nor null is refused with -32602.',
  },
  {
    id: 'session.resume.attached',
    source: 'exec-server 0.169.0',
    behaviour:
      'Resuming a session whose connection is alive is refused with -32010, and the holder does not notice.',
  },
  {
    id: 'session.resume.after-refusal',
    source: 'exec-server 0.169.0',
    behaviour:
      'A connection refused with -32010 may ask again, and gets the session once its holder has gone.',
  },
  {
    id: 'session.resume.same-id',
    source: 'exec-server 0.169.0',
    behaviour: 'A session resumed after its connection was dropped keeps its id.',
  },
  {
    id: 'session.resume.after-close',
    source: 'exec-server 0.169.0',
    behaviour: 'A session can be resumed after an orderly close as well.',
  },
  {
    id: 'session.resume.processes',
    source: 'exec-server 0.169.0',
    behaviour: 'Processes of a resumed session still run, can be read from the start and can be terminated.',
  },
  {
    id: 'session.resume.output-while-detached',
    source: 'exec-server 0.169.0',
    behaviour:
      'Output written while no connection was attached is read after resuming, with contiguous seqs.',
  },
  {
    id: 'session.resume.notifications',
    source: 'exec-server 0.169.0',
    behaviour: 'Notifications of a process follow its session to the new connection.',
  },
  {
    id: 'session.resume.write-ids',
    source: 'exec-server 0.169.0',
    behaviour: 'A `writeId` that was used before the cut is not written again after it.',
  },
  {
    id: 'session.resume.file-handles',
    source: 'exec-server 0.169.0',
    behaviour: 'File handles belong to the connection: after resuming they are unknown (-32004).',
    needs: ['shared-host'],
  },
  {
    id: 'session.resume.long-poll',
    source: 'exec-server 0.169.0',
    behaviour: 'A connection that is cut during a long poll can be resumed at once.',
  },
  {
    id: 'session.takeover.silent-holder',
    source: 'this project: docs/differences.md',
    behaviour: 'A session whose holder answers no ping is handed over to the connection that resumes it.',
  },
  {
    id: 'session.isolation.process-ids',
    source: 'exec-server 0.169.0',
    behaviour: 'Two sessions may use the same `processId`, and neither sees the process of the other.',
  },
  {
    id: 'session.isolation.notifications',
    source: 'exec-server 0.169.0',
    behaviour: 'A connection hears nothing about the processes of another session.',
  },
  {
    id: 'session.detach.resumable-lives',
    source: 'exec-server 0.169.0',
    behaviour: 'Processes of a client that sent `resumeSessionId: null` live on after its connection is cut.',
    needs: ['shared-host'],
  },
  {
    id: 'session.detach.plain-ends',
    source: 'exec-server README',
    behaviour: 'Processes of a client that did not send `resumeSessionId` end when its connection closes.',
    needs: ['shared-host'],
  },
  {
    id: 'session.ttl.requested',
    source: 'this project: docs/differences.md',
    behaviour:
      'A session that asked for a short `sessionTtlMs` is unknown after that time, and its processes have ended.',
    needs: ['shared-host', 'extension:sessionTtl'],
  },
] as const satisfies readonly Requirement[];
