// Collects everything that `exec-server doctor` reports, as data.
import { chooseShell } from '@codex/escalation';
import { createLauncher } from '@codex/launcher';
import { diagnoseHost, type PolicyDiagnosis } from '@codex/sandbox';
import { ownUserFindings, serverFacts } from './own-user-findings.js';

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
      await shellFinding(),
      ...sandbox.findings.map(({ id, ...finding }) => ({ topic: id, ...finding })),
      ...ownUserFindings(serverFacts()),
    ],
  };
}

const SHELL_KINDS = {
  patched: 'a patched Bash: every exec of it and of shells in it is judged',
  preload: 'by a library in the Bash of this host: its every exec is judged, those of shells in it are not',
} as const;

/** Which shell `exec-mcp-server` would use. Without one it refuses to start; everything else works. */
async function shellFinding(): Promise<Finding> {
  try {
    const { kind, bash } = await chooseShell();
    return { topic: 'exec interception', status: 'ok', detail: `${bash}, ${SHELL_KINDS[kind]}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { topic: 'exec interception', status: 'missing', detail: `exec-mcp-server cannot run: ${reason}` };
  }
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
