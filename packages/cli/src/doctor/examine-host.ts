// Everything `exec-server doctor` knows about this host, as data.
import { createLauncher } from '@codex/launcher';
import { diagnoseHost, type PolicyDiagnosis } from '@codex/sandbox';

export interface Finding {
  readonly topic: string;
  readonly status: 'ok' | 'weaker' | 'missing';
  readonly detail: string;
  /** A command line that fixes it. */
  readonly fix?: string;
  /** Flags of the server that accept what is weaker. */
  readonly instead?: string;
}

export interface Examination {
  /** Processes can be started and sandboxed: the usual policies were tried and held. */
  readonly usable: boolean;
  readonly findings: readonly Finding[];
  /** Every kind of policy, as it was tried here. */
  readonly policies: readonly PolicyDiagnosis[];
}

export async function examineHost(launcherPath?: string | null): Promise<Examination> {
  const sandbox = await diagnoseHost();
  return {
    usable: sandbox.usable,
    policies: sandbox.policies,
    findings: [
      {
        topic: 'node',
        status: 'ok',
        detail: `Node ${process.versions.node} on ${process.platform} ${process.arch}`,
      },
      ...launcherFindings(launcherPath),
      ...sandbox.findings.map(({ id, ...finding }) => ({ topic: id, ...finding })),
      ...sandbox.policies.map(policyFinding),
    ],
  };
}

/** What became of a command that was run under such a policy. */
function policyFinding({ policy, enforceable, by, weaker, accept, reason, fix }: PolicyDiagnosis): Finding {
  const topic = `try ${policy}`;
  if (enforceable) {
    const detail = [`held by ${by}`, ...(weaker ?? [])].join('; ');
    return { topic, status: weaker === undefined ? 'ok' : 'weaker', detail };
  }
  const way =
    accept === undefined ? '' : ` (possible with ${by} when these are accepted: ${accept.join(', ')})`;
  return {
    topic,
    status: 'missing',
    detail: `${reason ?? 'refused'}${way}`,
    ...(fix === undefined ? {} : { fix }),
  };
}

function launcherFindings(launcherProgram: string | null | undefined): Finding[] {
  const launcher = createLauncher({
    keepSpare: false,
    ...(launcherProgram === undefined ? {} : { launcherProgram }),
  });
  try {
    if (launcher.kind === 'native') {
      return [
        {
          topic: 'launcher',
          status: 'ok',
          detail: 'native: exact start errors, whole trees end, also after kill -9',
        },
      ];
    }
    return launcher.weaknesses.map((detail) => ({ topic: 'launcher', status: 'weaker', detail }));
  } finally {
    launcher.close();
  }
}
