// Any command that prints the `ws://` address of the server it starts.
import { announcedFeatures } from './announced-features.js';
import { serveProgram } from './program.js';
import type { Target } from './target.js';

export interface CommandOptions {
  readonly features: readonly string[];
}

export async function commandTarget(command: string, { features }: CommandOptions): Promise<Target> {
  const start = () => serveProgram({ command, args: [], shell: true });
  const probe = await start();
  const announced = await announcedFeatures(probe.url).finally(() => probe.stop());
  return {
    name: command,
    features: new Set([...features, 'planted-environment', ...announced]),
    expected: [],
    start,
  };
}
