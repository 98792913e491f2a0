// Files and directories.
import type { Requirement } from './requirement.js';

export const FS = [] as const satisfies readonly Requirement[];
