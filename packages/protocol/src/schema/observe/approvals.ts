// Approvals: the owner of a session asks, people who watch it decide, the server carries it and judges nothing.
import { Type } from '@sinclair/typebox';
import { Bound64, named, optional, refTo, U64 } from '../primitives.js';

export const ApprovalChoice = named(
  'ApprovalChoice',
  Type.Object({
    /** What the decision will be: `allow`, `deny`, or any other word of the owner. */
    id: Type.String(),
    label: Type.String(),
  }),
);

const QUESTION = {
  title: Type.String(),
  argv: optional(Type.Array(Type.String())),
  cwd: optional(Type.String()),
  reason: optional(Type.String()),
  /** What would be allowed, one sentence each. */
  sentences: optional(Type.Array(Type.String())),
};

export const ApprovalsAskParams = named(
  'ApprovalsAskParams',
  Type.Object({
    /** Chosen by the owner. The same id again is the same question: its answer is given again. */
    id: Type.String(),
    ...QUESTION,
    /** Without them: `allow` and `deny`. */
    choices: optional(Type.Array(refTo(ApprovalChoice))),
    /** Default five minutes. */
    expiresInMs: optional(Bound64),
  }),
);

export const ApprovalsAskResult = named(
  'ApprovalsAskResult',
  Type.Object({
    /** The id of a choice, or `nobody` (no one is there who could decide), `expired`, `withdrawn`. */
    decision: Type.String(),
    decided: Type.Boolean(),
    by: optional(Type.String()),
    note: optional(Type.String()),
  }),
);

export const ApprovalsWithdrawParams = named('ApprovalsWithdrawParams', Type.Object({ id: Type.String() }));

export const Approval = named(
  'Approval',
  Type.Object({
    session: Type.String(),
    approval: Type.String(),
    ...QUESTION,
    choices: Type.Array(refTo(ApprovalChoice)),
    askedAtMs: U64,
    expiresAtMs: U64,
    /** Absent while it is open. */
    outcome: optional(refTo(ApprovalsAskResult)),
  }),
);

export const ApprovalsListResult = named(
  'ApprovalsListResult',
  Type.Object({ approvals: Type.Array(refTo(Approval)) }),
);

export const ApprovalsDecideParams = named(
  'ApprovalsDecideParams',
  Type.Object({
    session: Type.String(),
    approval: Type.String(),
    decision: Type.String(),
    note: optional(Type.String()),
  }),
);

/** The first decision wins: `outcome` may be another's. */
export const ApprovalsDecideResult = named(
  'ApprovalsDecideResult',
  Type.Object({ accepted: Type.Boolean(), outcome: refTo(ApprovalsAskResult) }),
);

/** Asked, decided, expired or withdrawn; to every observer who may decide it. */
export const ApprovalsChangedNotification = named(
  'ApprovalsChangedNotification',
  Type.Object({ approval: refTo(Approval) }),
);
