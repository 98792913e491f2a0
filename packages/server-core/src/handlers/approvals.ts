// `approvals/*`: owners ask, observers decide.
import type { Observation } from '../observe/observation.js';
import type { Handlers, ObserverHandlers } from './handler-table.js';

export function approvalHandlers({ approvals }: Observation): Handlers {
  return {
    'approvals/ask': (params, { session }) => approvals.ask(session, params),
    'approvals/withdraw': ({ id }, { session }) => {
      approvals.withdraw(session, id);
      return {};
    },
  };
}

export function approvalDecisionHandlers(observation: Observation): ObserverHandlers {
  const { approvals } = observation;
  return {
    'approvals/list': (_, { observer }) => ({
      approvals: approvals.list((session) => observer.access.can('approve', session)),
    }),
    'approvals/decide': ({ session: handle, approval: id, decision, note }, { observer }) => {
      const session = observation.session(observer, handle, 'approve');
      return approvals.decide(session, { id, decision, note: note ?? null, by: observer.access.identity });
    },
  };
}
