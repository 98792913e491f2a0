// A launch whose sandbox is planned meanwhile has begun before the plan is there. Should nobody want the command any more by then,
// it does not get what it waits for, and never runs.
import type { LaunchSpec, MadeLater } from '@codex/launcher';

/** `check` throws when the command is not wanted. */
export function whileWanted(spec: LaunchSpec, check: () => void): LaunchSpec {
  if (spec.inheritFds === undefined) return spec;
  const inheritFds = spec.inheritFds.map((grant) => {
    if (!('make' in grant)) return grant;
    const make = async (): Promise<MadeLater> => {
      const made = await grant.make();
      check();
      return made;
    };
    return { ...grant, make };
  });
  return { ...spec, inheritFds };
}
