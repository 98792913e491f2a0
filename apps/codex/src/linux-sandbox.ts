// `codex-linux-sandbox`: runs one command in the sandbox of a permission profile, for callers that prepare commands
// themselves. The flags are those of the helper of the same name that other Codex programs start.
import { parseArgs } from 'node:util';
import { describeLostMount, parseSandboxContext, prepareSandbox, runInForeground } from '@codex/sandbox';

const USAGE_ERROR = 2;
const FAILURE = 1;

export async function runLinuxSandbox(args: readonly string[]): Promise<number> {
  let request: ReturnType<typeof readArguments>;
  try {
    request = readArguments(args);
  } catch (error) {
    return complain(error, USAGE_ERROR);
  }
  try {
    const prepared = await prepareSandbox(request);
    const { exitCode, violations, lostMount } = await runInForeground(prepared);
    for (const violation of violations) complain(violation, FAILURE);
    if (lostMount !== undefined) process.stderr.write(`${describeLostMount(lostMount)}\n`);
    return exitCode;
  } catch (error) {
    return complain(error, FAILURE);
  }
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'sandbox-policy-cwd': { type: 'string' },
      'command-cwd': { type: 'string' },
      'permission-profile': { type: 'string' },
    },
  });
  const cwd = values['command-cwd'] ?? process.cwd();
  const policyCwd = values['sandbox-policy-cwd'] ?? cwd;
  const permissions: unknown = JSON.parse(values['permission-profile'] ?? 'null');
  const { policy } = parseSandboxContext({ permissions, workspaceRoots: [policyCwd] }, { cwd: policyCwd });
  const tmpdir = process.env['TMPDIR'];
  return {
    argv: positionals,
    cwd,
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    policy,
    context: {
      cwd: policyCwd,
      workspaceRoots: [policyCwd],
      ...(tmpdir?.startsWith('/') === true ? { tmpdir } : {}),
    },
    terminal: process.stdin.isTTY,
    outputIsTerminal: process.stdout.isTTY || process.stderr.isTTY,
  };
}

function complain(what: unknown, code: number): number {
  process.stderr.write(`codex-linux-sandbox: ${what instanceof Error ? what.message : String(what)}\n`);
  return code;
}
