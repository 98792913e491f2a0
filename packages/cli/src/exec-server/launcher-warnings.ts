// Says at the start of a server what its launcher cannot promise. Elsewhere than on Linux there is no other launcher.
import type { Logger } from '@codex/exec-server-core/defaults';
import type { Launcher } from '@codex/launcher';

export function warnOfWeakLauncher({ kind, weaknesses }: Launcher, logger: Logger): void {
  if (process.platform !== 'linux' || weaknesses.length === 0) return;
  const program = `prebuilt/${process.platform}-${process.arch}/codex-launcher`;
  logger.warn(
    `the launcher program is not used: it is missing, cannot be executed, or was turned off. Install the whole package, or copy ${program} to where it belongs, beside the folder dist`,
    { launcher: kind },
  );
  for (const weakness of weaknesses) logger.warn('weaker without the launcher program', { weakness });
}
