// Starting, following and ending processes.
import type { Requirement } from './requirement.js';

export const PROCESS = [] as const satisfies readonly Requirement[];
