// Opens an address that holds a secret in the user's browser. The command line of every process can be read by others, so
// what is opened is a file of this user's that leads there, and it is deleted when the browser had the time to read it.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READING_TIME_MS = 10_000;

/** The program that opens files here, or undefined where there is no desktop. */
export function browserOpener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  const hasDesktop = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some(
    (value) => value !== undefined && value !== '',
  );
  return hasDesktop ? 'xdg-open' : undefined;
}

export function redirectPage(address: string): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${escaped}"><title>exec-server console</title>\n`;
}

/** False when it could not be opened. */
export async function openInBrowser(address: string, opener: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'exec-server-console-'));
  try {
    const file = join(folder, 'console.html');
    writeFileSync(file, redirectPage(address), { mode: 0o600 });
    const hasOpened = await new Promise<boolean>((resolve) => {
      const child = spawn(opener, [file], { stdio: 'ignore' });
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
    });
    if (hasOpened) await new Promise((resolve) => setTimeout(resolve, READING_TIME_MS));
    return hasOpened;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
