// Wires the parts of a tool.

import { type ExecServerClient, PauseHolds, type RemoteProcess } from '@codex/exec-client';
import { Approvals } from './approval/approvals.js';
import { EventHub } from './events/event-hub.js';
import { ApprovedAttempts } from './execution/approved-attempts.js';
import { CallSignals } from './execution/call-signals.js';
import { LiveProcesses } from './execution/live-processes.js';
import { sandboxPlan } from './execution/sandbox-plan.js';
import { profileOf } from './limits.js';
import { checkUnifiedExecOptions } from './option-rules.js';
import type { UnifiedExecOptions } from './options.js';
import { rulesFrom } from './rules/rules-from-policy.js';
import { SessionStore } from './sessions/session-store.js';
import type { ToolState } from './tool-state.js';

const WHOLE_OUTPUT = { tokens: 10_000 };

/** Throws `argument.invalid` for an option that is none. */
export function createState(client: ExecServerClient, options: UnifiedExecOptions): ToolState {
  checkUnifiedExecOptions(options);
  const { approve, tokenizer, inheritEnv, timeoutMs, childEnv = {} } = options;
  const rules = typeof options.rules === 'object' ? rulesFrom(options.rules) : options.rules;
  const { info } = client;
  const profile = profileOf(options.profile);
  const cwd = options.cwd ?? workingDirectory(info.cwd);
  const approvalPolicy = options.approvalPolicy ?? (approve === undefined ? 'never' : 'on-request');
  const hub = new EventHub();
  const pause = new PauseHolds();
  const live = new LiveProcesses(client);
  const approvals = new Approvals({
    approve,
    coversRetry: profile.isCodex,
    // In Codex a question stops the clocks of all calls; a call that asks has no window yet.
    hold: profile.isCodex ? () => pause.hold() : () => () => undefined,
    events: {
      asked: ({ callId, reason }) =>
        hub.push({ type: 'approval', callId, reason, state: 'asked', remembered: false }),
      answered: ({ callId, reason }, { allowed, remembered }) =>
        hub.push({ type: 'approval', callId, reason, state: allowed ? 'approved' : 'declined', remembered }),
    },
  });
  const attempts = new ApprovedAttempts({
    client,
    plan: sandboxPlan(options.sandbox, { info, cwd }),
    policy: approvalPolicy,
    rules,
    approvals,
    coversRetry: profile.isCodex,
    hub,
    threadId: crypto.randomUUID(),
    childEnv,
    inheritEnv,
    timeoutMs,
    started: (process: RemoteProcess) => live.add(process),
  });
  return {
    client,
    profile,
    place: {
      info,
      cwd,
      environmentId: options.environmentId ?? 'default',
      allowLogin: options.allowLogin ?? true,
      policy: approvalPolicy,
    },
    output: { profile, policy: options.policy ?? WHOLE_OUTPUT, tokenizer },
    store: new SessionStore(profile),
    hub,
    live,
    attempts,
    pause,
    onSessionEvicted: options.onSessionEvicted,
    calls: new CallSignals(),
  };
}

/** Servers write it as a path or as a URI. */
function workingDirectory(cwd: string | null | undefined): string {
  if (cwd == null) return '/';
  return cwd.startsWith('file:') ? decodeURIComponent(new URL(cwd).pathname) : cwd;
}
