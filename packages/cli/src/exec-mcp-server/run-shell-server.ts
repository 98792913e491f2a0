// Puts the shell server together: rules, shell, broker, launcher, audit log; and ends it in order.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  admittedNames,
  chooseShell,
  type EscalationPrograms,
  locatePrograms,
  NO_AUDIT_LOG,
  openAuditLog,
  RuleFiles,
  type ShellChoice,
  startBroker,
} from '@codex/escalation';
import { LONGEST_TIMEOUT_MS, serveShell } from '@codex/exec-mcp/shell';
import { VERSION } from '@codex/exec-server-core/defaults';
import { createLauncher } from '@codex/launcher';
import { leaveUnread } from '../leave-soon.js';
import { printError } from '../print-text.js';
import { workingFolder } from '../working-folder.js';
import { ownPlaces } from './own-places.js';
import { sessionEnvironment } from './session-environment.js';
import {
  defaultTimeout,
  missingRoots,
  policyOf,
  ruleFolders,
  ShellServerFlagError,
  type ShellServerFlags,
} from './shell-server-flags.js';

export const SERVER_VERSION = VERSION;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export async function printedPaths(flags: ShellServerFlags): Promise<{ wrapper: string; bash: string }> {
  const { shell, programs } = await interception(flags);
  return { wrapper: programs.wrapper, bash: shell.bash };
}

/** Resolves when the client has gone, or a signal came, and nothing is left. */
export async function runShellServer(flags: ShellServerFlags): Promise<void> {
  const cwd = workingFolder();
  const warn = (message: string): void => printError(`codex-exec-mcp-server: ${message}\n`);
  const admitted = admittedNames(flags.escalateEnv);
  const policy = policyOf(flags, cwd);
  const defaultTimeoutMs = defaultTimeout(flags);
  for (const warning of missingRoots(flags, cwd)) warn(warning);
  const rules = await RuleFiles.load({
    folders: ruleFolders(process.env, homedir(), cwd),
    files: (flags.rules ?? []).map((file) => resolve(cwd, file)),
    onProblem: warn,
  });
  const { shell, programs } = await interception(flags);
  const log = flags.auditLog === undefined ? undefined : resolve(cwd, flags.auditLog);
  const connection = serveShell({
    version: VERSION,
    defaultTimeoutMs,
    maxTimeoutMs: flags.maxTimeoutMs ?? LONGEST_TIMEOUT_MS,
    sandbox: { policy, cwd, workspaceRoots: [cwd] },
    streams: { onProblem: warn },
    shell: {
      broker: await startBroker({ brokerProgram: programs.broker }),
      launcher: createLauncher(),
      shell,
      rules,
      audit: log === undefined ? NO_AUDIT_LOG : openAuditLog(log, { onProblem: warn }),
      environment: sessionEnvironment(process.env),
      admittedNames: admitted,
      preserveProgramPaths: flags.preserveProgramPaths === true,
      maxOutputBytes: flags.maxOutputBytes,
      keptAsTheyAre: [...(log === undefined ? [] : [log]), ...ownPlaces(process.argv[1])],
    },
  });
  // In order at the first, at once at the second.
  for (const name of STOP_SIGNALS) process.once(name, () => void connection.close());
  await connection.closed;
  leaveUnread();
}

function executable(path: string): string {
  const file = resolve(path);
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    throw new ShellServerFlagError(`\`--execve\`: ${file} is no program that can be executed`);
  }
}

interface Interception {
  readonly shell: ShellChoice;
  readonly programs: EscalationPrograms;
}

async function interception(flags: ShellServerFlags): Promise<Interception> {
  const found = locatePrograms();
  const programs = flags.execve === undefined ? found : { ...found, wrapper: executable(flags.execve) };
  const shell = await chooseShell({
    programs,
    ...(flags.bash === undefined ? {} : { bash: resolve(flags.bash) }),
  });
  return { shell, programs };
}
