// Any command that prints the `ws://` address of the server it starts.
import { serveProgram } from './program.js';
import type { Target } from './target.js';

export interface CommandOptions {
  readonly features: readonly string[];
}

export function commandTarget(command: string, { features }: CommandOptions): Target {
  return {
    name: command,
    features: new Set(features),
    expected: [],
    start: () => serveProgram({ command, args: [], shell: true }),
  };
}
