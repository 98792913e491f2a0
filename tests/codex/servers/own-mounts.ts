// Runs a server in a mount namespace of its own, in which a folder has other contents: another machine, as far as files go.
import type { ServerCommand } from './server-program.js';

export interface Mount {
  readonly from: string;
  readonly to: string;
}

export function withOwnMount({ program, args, env }: ServerCommand, { from, to }: Mount): ServerCommand {
  const mounts = ['--dev-bind', '/', '/', '--bind', from, to];
  return { program: 'bwrap', args: [...mounts, '--die-with-parent', program, ...args], env };
}
