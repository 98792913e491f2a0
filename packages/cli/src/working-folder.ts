// The folder that this program was started in.
import { CodedError } from '@codex/exec-protocol';

class WorkingFolderError extends CodedError<'NO_WORKING_FOLDER'> {}

/** Node has no words for one that was removed meanwhile. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new WorkingFolderError(
      'NO_WORKING_FOLDER',
      'the folder that this was started in does not exist any more',
      {
        cause,
      },
    );
  }
}
