// From a request to a process: the approval it needs, its first attempt, and, when the sandbox denies that, one retry
// without it. There is no third attempt. What the executor says is the only fact about a denial; its output is not judged
// here.

import {
  type ExecServerClient,
  ExecServerError,
  type Outcome,
  type RemoteProcess,
  type SandboxOption,
} from '@codex/exec-client';
import {
  type ApprovalPolicy,
  type ApprovalRequest,
  asksForSandbox,
  policyName,
  type Rules,
  retriesDenials,
} from '../approval/approval.js';
import type { Approvals } from '../approval/approvals.js';
import { requirementOf } from '../approval/requirement.js';
import type { EventHub } from '../events/event-hub.js';
import { aborted, ToolFailure } from '../tool-error.js';
import { unlessAborted } from '../unless-aborted.js';
import { childEnvironment } from './child-environment.js';
import type { CommandRequest } from './command-request.js';
import { end } from './live-processes.js';
import type { SandboxPlan } from './sandbox-plan.js';
import { startFailure } from './start-failure.js';

export type InheritEnv = NonNullable<Parameters<ExecServerClient['spawn']>[1]>['inheritEnv'];

export interface AttemptParts {
  readonly client: ExecServerClient;
  readonly plan: SandboxPlan;
  readonly policy: ApprovalPolicy;
  readonly rules: Rules | undefined;
  readonly approvals: Approvals;
  /** As in Codex: who approved a command before it ran is not asked again when the sandbox denied it. */
  readonly coversRetry: boolean;
  readonly hub: EventHub;
  readonly threadId: string;
  readonly childEnv: Readonly<Record<string, string>>;
  readonly inheritEnv: InheritEnv;
  readonly timeoutMs: number | undefined;
  /** Every process that was started, before anything else happens with it. */
  started(process: RemoteProcess): void;
}

export interface OpenedCommand {
  readonly process: RemoteProcess;
  readonly sandboxed: boolean;
  /** It was let out of the sandbox that others are in. */
  readonly isOut: boolean;
  /** It ended with a denial before the window of the call began. */
  readonly deniedEarly: boolean;
}

export interface Admission {
  /** It was let out of the sandbox. */
  readonly isOut: boolean;
  readonly wasAsked: boolean;
  /** What still confines it. */
  readonly sandbox: SandboxOption | undefined;
}

type Denied = Extract<Outcome, { kind: 'denied' }>;

/** The retry was declined; the denied attempt is what ran. */
export class RetryDeclined extends ToolFailure {
  readonly denied: OpenedCommand;

  constructor(reason: ToolFailure, denied: OpenedCommand) {
    super(reason.code, reason.message, { hint: reason.hint });
    this.denied = denied;
  }
}

export class ApprovedAttempts {
  readonly #parts: AttemptParts;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Whether a model may type into a command that was let out of the sandbox. Throws what it is told when not. */
  async admitInput(request: CommandRequest, input: { sessionId: number; chars: string }): Promise<void> {
    const { policy, approvals } = this.#parts;
    if (!asksForSandbox(policy)) {
      const why = `approval required by policy, but AskForApproval is set to ${policyName(policy)}`;
      throw new ToolFailure('tool.rejected', `write_stdin rejected: ${why}`, {
        hint: 'Poll it with empty `chars`, or start a command inside the sandbox.',
      });
    }
    await approvals.require({ ...this.#question(request, 'input'), input });
  }

  /** Whether something may be done at all, and where. Throws what the model is told when it may not. */
  async admit(request: CommandRequest): Promise<Admission> {
    const { plan, policy, rules, approvals } = this.#parts;
    const verdict = await rules?.(request.argv);
    const need = requirementOf({
      verdict,
      policy,
      escalated: request.escalated,
      isRestricted: plan.restrictsFiles || plan.restrictsNetwork,
    });
    if (need.kind === 'forbidden') {
      throw new ToolFailure('tool.forbidden', `exec_command failed: ${need.reason}`, {
        hint: 'Use another command, or ask the user.',
      });
    }
    if (need.kind === 'ask') await approvals.require(this.#question(request, 'policy'));
    const isOut = request.escalated || (need.kind === 'skip' && need.bypassSandbox);
    return { isOut, wasAsked: need.kind === 'ask', sandbox: isOut ? plan.escalated : plan.first };
  }

  /** Asks whether something that the sandbox denied may be done without it. */
  async letOut(request: CommandRequest, evidence: string): Promise<Admission> {
    const { plan, approvals } = this.#parts;
    await approvals.require({ ...this.#question(request, 'retryWithoutSandbox'), evidence });
    return { isOut: true, wasAsked: true, sandbox: plan.escalated };
  }

  async open(request: CommandRequest): Promise<OpenedCommand> {
    const { plan, policy, approvals, coversRetry } = this.#parts;
    const { isOut, wasAsked } = await this.admit(request);
    const first = await this.#attempt(request, { attempt: 1, isOut });
    const denied = await this.#earlyDenial(request, first.process, 1);
    if (denied === undefined) return first;
    const opened = { ...first, deniedEarly: true };
    if (isOut || !retriesDenials(policy) || !plan.mayRetry) return opened;
    if (!wasAsked || !coversRetry) {
      try {
        await approvals.require(this.#question(request, 'retryWithoutSandbox', denied));
      } catch (error) {
        throw error instanceof ToolFailure ? new RetryDeclined(error, opened) : error;
      }
    }
    return this.#retry(request);
  }

  get hasWritableFiles(): boolean {
    return this.#parts.plan.hasWritableFiles;
  }

  /** Whether a denied command may be run again without its sandbox, if the user approves. */
  get offersRetry(): boolean {
    return asksForSandbox(this.#parts.policy) && this.#parts.plan.mayRetry;
  }

  /** A retry that an application asks for, after a denial that came too late for one within its call. */
  async retry(request: CommandRequest, denied: Denied | undefined): Promise<OpenedCommand> {
    await this.#parts.approvals.require(this.#question(request, 'retryWithoutSandbox', denied));
    return this.#retry(request);
  }

  #question(
    { callId, argv, cwd, tty, escalated, justification, prefixRule, signal }: CommandRequest,
    reason: ApprovalRequest['reason'],
    denied?: Denied,
  ): ApprovalRequest {
    const line = denied?.denial.line;
    const isOut = escalated || reason !== 'policy';
    return {
      reason,
      callId,
      command: argv,
      cwd,
      tty,
      runs: this.#parts.plan.confines ? (isOut ? 'outside' : 'inside') : 'unconfined',
      escalated,
      signal,
      ...(justification === undefined ? {} : { justification }),
      ...(prefixRule === undefined ? {} : { prefixRule }),
      ...(denied === undefined ? {} : { denial: denied.denial }),
      ...(line === undefined ? {} : { evidence: line }),
    };
  }

  async #retry(request: CommandRequest): Promise<OpenedCommand> {
    const second = await this.#attempt(request, { attempt: 2, isOut: true });
    const denied = await this.#earlyDenial(request, second.process, 2);
    return { ...second, deniedEarly: denied !== undefined };
  }

  async #attempt(
    request: CommandRequest,
    { attempt, isOut }: { attempt: 1 | 2; isOut: boolean },
  ): Promise<OpenedCommand> {
    const { client, plan, hub, threadId, childEnv, inheritEnv, timeoutMs } = this.#parts;
    const { argv, callId, cwd, tty, signal } = request;
    if (signal.aborted) throw aborted('exec_command');
    const sandbox = isOut ? plan.escalated : plan.first;
    const env = childEnvironment({
      threadId,
      callId,
      isNetworkOff: !isOut && plan.restrictsNetwork,
      childEnv,
    });
    const starting = client.spawn(argv, {
      cwd,
      tty,
      env,
      ...(inheritEnv === undefined ? {} : { inheritEnv }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      metadata: { toolCallId: callId },
    });
    const process = await this.#started(starting, request);
    const sandboxed = sandbox !== undefined;
    hub.push({ type: 'attempt', callId, attempt, sandboxed, state: 'started' });
    return { process, sandboxed, isOut: isOut && plan.confines, deniedEarly: false };
  }

  /** A start may wait for a connection: a call that is given up meanwhile leaves nothing that runs. */
  async #started(starting: Promise<RemoteProcess>, { cwd, signal }: CommandRequest): Promise<RemoteProcess> {
    try {
      const process = await unlessAborted(starting, signal, () => aborted('exec_command'));
      this.#parts.started(process);
      return process;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw startFailure(error, cwd);
      starting.then(
        (late) => {
          this.#parts.started(late);
          return end(late);
        },
        () => undefined,
      );
      throw error;
    }
  }

  /** Waits a moment for the end of a command; what is over by then may be retried as if nothing had happened. */
  async #earlyDenial(
    request: CommandRequest,
    process: RemoteProcess,
    attempt: 1 | 2,
  ): Promise<Denied | undefined> {
    const { earlyExitMs, signal } = request;
    const outcome = await endWithin(process, { timeoutMs: earlyExitMs, signal });
    if (outcome?.kind !== 'denied') return undefined;
    const { callId } = request;
    const result = process.peek();
    const { denial } = outcome;
    this.#parts.hub.push({
      type: 'attempt',
      callId,
      attempt,
      sandboxed: true,
      state: 'denied',
      denial,
      result,
    });
    return outcome;
  }
}

async function endWithin(
  process: RemoteProcess,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Outcome | undefined> {
  try {
    return await process.wait(options);
  } catch (error) {
    // Neither the time nor the call that ran out says anything about the process.
    if (error instanceof ExecServerError) return undefined;
    throw error;
  }
}
