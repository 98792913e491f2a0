// A patch that was not applied: nothing of it was written.

import { ToolFailure } from '../tool-error.js';

export function patchFailure(problem: string, hint: string, cause?: unknown): ToolFailure {
  return new ToolFailure('tool.patch', `apply_patch verification failed: ${problem}`, { hint, cause });
}
