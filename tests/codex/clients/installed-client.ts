// Real MCP clients from npm, pinned, installed once into the user's cache folder. They start no server on the network.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

const CACHE = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'codex-exec-server-tests',
  'mcp-clients',
);

/** The folder of commands of these packages. */
export function installedClients(name: string, packages: readonly string[]): string {
  const folder = join(CACHE, name);
  const commands = join(folder, 'node_modules', '.bin');
  if (existsSync(join(folder, 'complete'))) return commands;
  process.stderr.write(`Installing ${packages.join(', ')} into ${folder}, once …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  writeFileSync(join(folder, 'complete'), '');
  return commands;
}

export function makeHome(): { readonly path: string; remove(): void } {
  mkdirSync(CACHE, { recursive: true });
  const path = mkdtempSync(join(CACHE, 'home-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface ClientRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runClient(
  command: string,
  args: readonly string[],
  { home, cwd = home, env: own = {} }: { home: string; cwd?: string; env?: Record<string, string> },
): Promise<ClientRun> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    DISABLE_AUTOUPDATER: '1',
    ...own,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, env, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
