// Tests and the benchmark run real sandboxes, so they need bubblewrap.
import { ensureDebianPackage } from './debian-package.mjs';
import { isOnPath } from './requirements.mjs';

export const ensureBubblewrap = () =>
  ensureDebianPackage('bubblewrap', {
    isThere: () => isOnPath('bwrap'),
    why: 'real sandboxes are run',
    otherwise: 'everything sandboxed fails',
  });
