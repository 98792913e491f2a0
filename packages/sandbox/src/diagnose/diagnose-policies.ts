// Tries every kind of policy on this host: a command runs under it and does what the policy allows and what it forbids.
// A policy counts as enforceable when exactly that came out, never because the parts it needs seem to be there.
import { SandboxError } from '../errors.js';
import { linuxFindings } from '../linux/host-findings.js';
import { type LinuxHost, linuxHost } from '../linux/host-probe.js';
import { prepareSandbox } from '../prepare-sandbox.js';
import type { PreparedSandbox, SandboxRequest, WeakerForm } from '../sandbox-request.js';
import { type PolicyTrial, policyTrials, TrialGround } from './policy-trials.js';
import { runTrial } from './run-trial.js';

export interface PolicyDiagnosis {
  /** What kind of policy, in words. */
  readonly policy: string;
  /** A command under such a policy was run, and was held to it. */
  readonly enforceable: boolean;
  /** What confines it, or would with the forms in `accept`; `none` where nothing does. */
  readonly by: 'bubblewrap' | 'landlock' | 'seatbelt' | 'none';
  /** What holds less here than elsewhere; one sentence each. */
  readonly weaker?: readonly string[];
  /** Not enforceable as it is, but with these weaker forms accepted by name. */
  readonly accept?: readonly WeakerForm[];
  /** Why it is not enforceable. */
  readonly reason?: string;
  /** A command line that fixes it, to be run as root. */
  readonly fix?: string;
}

export interface DiagnosePoliciesOptions {
  readonly host?: LinuxHost;
  /** Weaker forms that are accepted by name. */
  readonly accept?: readonly WeakerForm[];
}

const everyForm: readonly WeakerForm[] = [
  'host-proc',
  'unprotected-metadata',
  'host-signals',
  'root-capabilities',
  'host-attributes',
  'hidden-attributes',
  'host-sockets',
];

export async function diagnosePolicies(options: DiagnosePoliciesOptions = {}): Promise<PolicyDiagnosis[]> {
  const host = process.platform === 'linux' ? (options.host ?? (await linuxHost())) : undefined;
  const results: PolicyDiagnosis[] = [];
  const ground = await TrialGround.open();
  try {
    for (const trial of policyTrials(ground)) {
      results.push(await new Diagnosis(trial, { ground, host }).make(options.accept ?? []));
    }
  } finally {
    await ground.close();
  }
  return results;
}

interface Setting {
  readonly ground: TrialGround;
  readonly host: LinuxHost | undefined;
}

class Diagnosis {
  readonly #trial: PolicyTrial;
  readonly #setting: Setting;

  constructor(trial: PolicyTrial, setting: Setting) {
    this.#trial = trial;
    this.#setting = setting;
  }

  async make(accept: readonly WeakerForm[]): Promise<PolicyDiagnosis> {
    const policy = this.#trial.name;
    const outcome = await this.#attempt(accept);
    if (outcome.failure === undefined) {
      const { by, weaker } = outcome;
      return { policy, enforceable: true, by, ...(weaker.length === 0 ? {} : { weaker }) };
    }
    const fix = this.#fix();
    const failed = {
      policy,
      enforceable: false,
      reason: outcome.failure,
      ...(fix === undefined ? {} : { fix }),
    };
    const withAll = await this.#attempt(everyForm);
    if (withAll.failure !== undefined) return { ...failed, by: 'none' };
    return { ...failed, by: withAll.by, weaker: withAll.weaker, accept: await this.#neededForms(accept) };
  }

  /** Without any one of these the policy is refused. */
  async #neededForms(accepted: readonly WeakerForm[]): Promise<WeakerForm[]> {
    const needed: WeakerForm[] = [];
    for (const form of everyForm) {
      if (accepted.includes(form)) continue;
      try {
        (await this.#prepare(everyForm.filter((other) => other !== form))).finish();
      } catch {
        needed.push(form);
      }
    }
    return needed;
  }

  async #attempt(accept: readonly WeakerForm[]): Promise<Outcome> {
    try {
      const prepared = await this.#prepare(accept);
      const failure = await runTrial(prepared, this.#trial);
      return { failure, by: backendOf(prepared), weaker: prepared.warnings };
    } catch (error) {
      return { failure: reasonOf(error), by: 'none', weaker: [] };
    }
  }

  #prepare(accept: readonly WeakerForm[]): Promise<PreparedSandbox> {
    const { ground, host } = this.#setting;
    const request: SandboxRequest = {
      argv: this.#trial.argv,
      cwd: ground.workspace,
      env: { PATH: '/usr/bin:/bin' },
      policy: this.#trial.policy,
      accept,
    };
    return prepareSandbox(request, host === undefined ? {} : { host });
  }

  #fix(): string | undefined {
    const { host } = this.#setting;
    if (host === undefined) return undefined;
    return linuxFindings(host).find(({ status, fix }) => status === 'missing' && fix !== undefined)?.fix;
  }
}

interface Outcome {
  readonly failure: string | undefined;
  readonly by: PolicyDiagnosis['by'];
  readonly weaker: readonly string[];
}

/** Without what would fix it: a diagnosis has that in a place of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof SandboxError)) return String(error);
  const { reason } = error.details;
  return typeof reason === 'string' ? reason : error.message;
}

function backendOf({ type, restrict }: PreparedSandbox): PolicyDiagnosis['by'] {
  if (type === 'macosSeatbelt') return 'seatbelt';
  if (type === 'none') return 'none';
  return restrict === undefined ? 'bubblewrap' : 'landlock';
}
