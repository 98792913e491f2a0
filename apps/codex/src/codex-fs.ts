// The file helper as a file of its own: its sandbox has to show nothing else of this app.
import { runFsHelperProgram } from '@codex/exec-files/helper';

void runFsHelperProgram();
