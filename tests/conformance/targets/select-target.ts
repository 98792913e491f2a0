// Finds the target that the command line names. Targets are loaded only when asked for: the suite can run against a
// foreign server where ours does not even build.
import { commandTarget } from './command.js';
import type { Target } from './target.js';
import { urlTarget } from './url.js';

export interface Selection {
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly target?: string | undefined;
  readonly features: readonly string[];
  readonly say: (line: string) => void;
}

export async function selectTarget({
  url,
  command,
  target,
  features,
  say,
}: Selection): Promise<Target | undefined> {
  if ([url, command, target].filter((choice) => choice !== undefined).length !== 1) return undefined;
  if (url !== undefined) return urlTarget(url, { features });
  if (command !== undefined) return commandTarget(command, { features });
  return OWN_TARGETS.get(target ?? '')?.(say);
}

const OWN_TARGETS = new Map<string, (say: Selection['say']) => Promise<Target>>([
  ['in-process', async () => (await import('./in-process.js')).inProcessTarget()],
  ['in-process-binary', async () => (await import('./in-process-binary.js')).inProcessBinaryTarget()],
  ['cli', async () => (await import('./cli.js')).cliTarget()],
  ['codex', async (say) => (await import('./codex.js')).codexTarget({ say })],
]);
