// Files under a policy that restricts them: what is beyond plain requests.
import type { Requirement } from './requirement.js';

const ours = 'this project: docs/differences.md';
const watch = ['shared-host', 'extension:fsWatchSandbox'] as const;

export const FS_SANDBOX = [
  {
    id: 'fs.sandbox.watch',
    source: ours,
    behaviour:
      'A watch under a policy reports what the policy lets be read, and its root has to be readable.',
    needs: watch,
  },
  {
    id: 'fs.sandbox.watch-hides',
    source: ours,
    behaviour: 'A watch under a policy tells nothing of denied names and of what lies behind links.',
    needs: watch,
  },
  {
    id: 'fs.sandbox.watch-missing',
    source: ours,
    behaviour: '`fs/watchMissing` takes a policy: told where it may be read, not watched where it may not.',
    needs: [...watch, 'extension:fsWatchMissing'],
  },
  {
    id: 'capability.discover.sandbox',
    source: 'exec-server 0.169.0',
    behaviour: 'A root under a policy is discovered as far as the policy lets it be read.',
    needs: ['shared-host', 'extension:capabilityDiscoverySandbox'],
  },
] as const satisfies readonly Requirement[];
