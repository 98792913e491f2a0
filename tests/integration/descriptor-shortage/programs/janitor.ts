// Tells the janitor of one file while no descriptor is left and of another one afterwards, and ends.
import { basename, dirname } from 'node:path';
import { CrashJanitor } from '../../../../packages/sandbox/src/linux/host-changes/crash-janitor.js';
import { HeldDirectory } from '../../../../packages/sandbox/src/linux/host-changes/held-directory.js';
import { exhaustDescriptors } from '../support/exhaust-descriptors.js';

const [during, after] = process.argv.slice(2).map((path) => ({
  directory: HeldDirectory.open(dirname(path)),
  name: basename(path),
}));
if (during === undefined || after === undefined) throw new RangeError('two paths are needed');
const janitor = new CrashJanitor();
const shortage = exhaustDescriptors();
janitor.watchForbidden(during);
await new Promise((resolve) => setImmediate(resolve));
shortage.end();
janitor.watchForbidden(after);
janitor.watchForbidden(during);
process.stdout.write('"alive"');
