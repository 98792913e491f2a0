// The helper as a file of its own, so that a sandbox has to show nothing else of this program.
import { runFsHelper } from './run-fs-helper.js';

void runFsHelper(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
