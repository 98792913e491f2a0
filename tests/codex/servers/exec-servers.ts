// The two servers a turn is played on, and the commands that start them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RealCodex, realCodex } from '@codex/tests-real-codex';
import { plainEnvironment } from './plain-environment.js';
import type { ServerCommand } from './server-program.js';

export type ServerName = 'ours' | 'real';

const OUR_PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));
let found: RealCodex | undefined;

export function codex(): RealCodex {
  found ??= realCodex((line) => process.stderr.write(`${line}\n`));
  return found;
}

export interface CommandOptions {
  /** The home of the user that the server runs as. */
  readonly home: string;
  readonly listen?: string;
  readonly flags?: readonly string[];
}

export function serverCommand(name: ServerName, options: CommandOptions): ServerCommand {
  const args = ['exec-server', '--listen', options.listen ?? 'ws://127.0.0.1:0', ...(options.flags ?? [])];
  const env = plainEnvironment(options.home);
  if (name === 'real') return { program: codex().binary, args, env };
  if (!existsSync(OUR_PROGRAM)) throw new Error(`${OUR_PROGRAM} is not built: run \`npm run build\` first`);
  return { program: process.execPath, args: [OUR_PROGRAM, ...args], env };
}
