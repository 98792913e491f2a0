// The command line as it is after `npm install @codex/exec-server`: every word of it, under its own name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkInstalledShellServer } from './check-installed-shell-server.mjs';
import { runCommand, StepError } from './run-command.mjs';

export async function checkInstalledCommand(folder) {
  const program = join(folder, 'node_modules', '.bin', 'exec-server');
  const run = (...args) =>
    runCommand(program, args, { cwd: folder, quiet: true, env: { EXEC_SERVER_CONFIG: '' } });
  const { version } = JSON.parse(await run('version', '--json'));
  expectText(await run('--version'), `${version}\n`);
  expectText(await run('run', 'echo', '--timeout', '5'), '--timeout 5\n');
  expectText(
    await run('cp', '--quiet', ':package.json', '-'),
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  JSON.parse(
    await run('sandbox', '--check', '--json', '--policy', 'full-access', '--network', 'enabled', 'true'),
  );
  for (const shell of ['bash', 'zsh', 'fish']) await run('completion', shell);
  await checkMcpServer(folder, program);
  await checkConfiguration(folder, run);
  await checkInstalledShellServer(folder);
}

/** The MCP library is in the bundle. Its client stays for the answer: the end of the input ends the server. */
async function checkMcpServer(folder, program) {
  const clientInfo = { name: 'check', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const script = '{ echo "$1"; sleep 2; } | "$0" mcp-server';
  const said = await runCommand('sh', ['-c', script, program, line], { cwd: folder, quiet: true });
  expectText(JSON.parse(said).result.serverInfo.name, 'codex-mcp-server');
}

/** The file is read by a library that is in the bundle, and the schema lies where the package says. */
async function checkConfiguration(folder, run) {
  const printed = await run('--no-config', '--print-config');
  const script = `import schema from '@codex/exec-server/config.schema.json' with { type: 'json' };
    process.stdout.write(Object.keys(schema.properties).join(' '));`;
  const keys = (
    await runCommand(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
      cwd: folder,
      quiet: true,
    })
  ).split(' ');
  const missing = keys.filter(
    (key) => !printed.includes(`${key} = `) && !printed.includes(`# ${key} is not set`),
  );
  if (keys.length < 50 || missing.length > 0) {
    throw new StepError(`the schema of the configuration has keys that nobody prints: ${missing.join(', ')}`);
  }
}

function expectText(said, expected) {
  if (said !== expected)
    throw new StepError(`expected ${JSON.stringify(expected)}, not ${JSON.stringify(said)}`);
}
