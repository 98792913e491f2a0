// Watching sessions from beside them. All of it is this project's own.
import type { Requirement } from './requirement.js';

const source = 'this project: docs/decisions/0040-observers.md';
const observe = ['extension:sessionObserve'] as const;
const journal = ['extension:sessionJournal'] as const;
const control = ['extension:sessionControl'] as const;
const approvals = ['extension:approvals'] as const;

export const OBSERVE = [
  {
    id: 'observe.role.no-session',
    source,
    behaviour:
      'An observer gets no session id, is told its grants, and is refused -32011 what an owner may do.',
    needs: observe,
  },
  {
    id: 'observe.role.owner-apart',
    source,
    behaviour: 'An owner that asks for what observers have is refused -32011.',
    needs: observe,
  },
  {
    id: 'observe.sessions.handles',
    source,
    behaviour:
      'Sessions are listed by handles, with client and state; nothing an observer is sent holds a session id.',
    needs: observe,
  },
  {
    id: 'observe.sessions.away',
    source,
    behaviour: 'A session whose client is gone and may come back is `away` until a time.',
    needs: observe,
  },
  {
    id: 'observe.processes.summary',
    source,
    behaviour: 'Processes are listed with size, state, end and sandbox; what looks like a secret is masked.',
    needs: observe,
  },
  {
    id: 'observe.open.from-the-start',
    source,
    behaviour:
      'A watch gets what is kept and what happens, numbered as for the owner, with times, to the end.',
    needs: observe,
  },
  {
    id: 'observe.open.from-seq',
    source,
    behaviour: 'A watch may begin at any event, or with the newest output only.',
    needs: observe,
  },
  {
    id: 'observe.open.ack-window',
    source,
    behaviour: 'No more than the window is sent until it is acknowledged; the process runs on meanwhile.',
    needs: observe,
  },
  {
    id: 'observe.open.gap',
    source,
    behaviour:
      'A watch that falls behind what is kept is told which events and how many bytes are missing, exactly.',
    needs: observe,
  },
  {
    id: 'observe.open.resize',
    source,
    behaviour: 'The size of a terminal and its changes are told where they belong, and take no number.',
    needs: observe,
  },
  {
    id: 'observe.open.unknown',
    source,
    behaviour: 'A session or process that is not there is -32600; a name in use is -32600.',
    needs: observe,
  },
  {
    id: 'observe.read.random',
    source,
    behaviour: 'Output is read at any place, with times, and the owner notices nothing.',
    needs: observe,
  },
  {
    id: 'observe.tree.members',
    source,
    behaviour: 'What is alive of a tree is listed, daemons of an ended command included; secrets are masked.',
    needs: [...observe, 'shared-host'],
  },
  {
    id: 'observe.session.ended',
    source,
    behaviour: 'A watch outlives no session: it gets the last output and is told that the session ended.',
    needs: observe,
  },
  {
    id: 'observe.journal.events',
    source,
    behaviour: 'The journal tells of sessions and processes in order, with numbers and times.',
    needs: journal,
  },
  {
    id: 'observe.journal.wait',
    source,
    behaviour: 'Reading the journal waits for the next event of a session, and not for longer than asked.',
    needs: journal,
  },
  {
    id: 'observe.journal.subscribe',
    source,
    behaviour: 'A subscription is sent events as they happen, from any number on, until it is ended.',
    needs: journal,
  },
  {
    id: 'observe.control.terminate',
    source,
    behaviour: 'An observer ends a process; the journal and an owner that asked for it are told who did.',
    needs: control,
  },
  {
    id: 'observe.control.type',
    source,
    behaviour: 'An observer types into a terminal and sets its size.',
    needs: control,
  },
  {
    id: 'observe.explain.denial',
    source,
    behaviour: 'A denial is explained: the line, the rule that decided, and a change that allows it.',
    needs: ['extension:sandboxExplain', 'shared-host'],
  },
  {
    id: 'observe.explain.what-if',
    source,
    behaviour: 'A policy that is not in force can be asked about; a process without one is unrestricted.',
    needs: ['extension:sandboxExplain'],
  },
  {
    id: 'observe.files.under-policy',
    source,
    behaviour: 'Files are read as the policy of the process lets its command, and refused where it does not.',
    needs: ['extension:observeFiles', 'shared-host'],
  },
  {
    id: 'observe.approvals.decided',
    source,
    behaviour: 'An owner asks, an observer decides, the first answer wins, and everybody is told.',
    needs: approvals,
  },
  {
    id: 'observe.approvals.withdrawn',
    source,
    behaviour: 'A question that is withdrawn or has expired is answered so, and can no longer be decided.',
    needs: approvals,
  },
] as const satisfies readonly Requirement[];
