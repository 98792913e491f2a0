// Starting, following and ending processes.
import { PROCESS_CONTROL } from './process-control.js';
import { PROCESS_EXTENSIONS } from './process-extensions.js';
import { PROCESS_OUTPUT } from './process-output.js';
import { PROCESS_SHELL_SNAPSHOT } from './process-shell-snapshot.js';
import { PROCESS_START } from './process-start.js';

export const PROCESS = [
  ...PROCESS_START,
  ...PROCESS_SHELL_SNAPSHOT,
  ...PROCESS_OUTPUT,
  ...PROCESS_CONTROL,
  ...PROCESS_EXTENSIONS,
] as const;
