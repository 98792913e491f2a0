// The helper as a file of its own, so that a sandbox has to show nothing else of this program.
import { runFsHelperProgram } from './run-fs-helper.js';

void runFsHelperProgram();
