// Counts what a plan takes of bubblewrap's argument list, before anything on the host is changed for it.
import { SandboxError } from '../errors.js';
import type { MountPlan } from './mount-plan.js';

/** bubblewrap stops at 9000; some are for everything that is not a mount. */
const maxArguments = 8700;

/** The exact count is checked once more where the arguments are made. */
export function checkMountBudget(plan: Pick<MountPlan, 'steps'>, variables: number): void {
  let needed = 3 * variables;
  for (const { type } of plan.steps) needed += type === 'hideDirectory' || type === 'coverMissing' ? 6 : 3;
  if (needed <= maxArguments) return;
  throw new SandboxError(
    'SANDBOX_POLICY_UNENFORCEABLE',
    `the policy needs ${plan.steps.length} mounts, which take ${needed} bubblewrap arguments, more than the ` +
      `${maxArguments} it accepts; deny directories instead of single files, or pass fewer environment variables`,
  );
}
