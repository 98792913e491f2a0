/** Opens our end of a new pseudo-terminal. The supervisor unlocks it and opens the other end. */
import { constants, openSync } from 'node:fs';
import { errnoOf, LaunchError } from '../../launch-error.js';
import { PtyDescriptor } from '../../stream/pty-descriptor.js';

export function openPty(): PtyDescriptor {
  try {
    return new PtyDescriptor(
      openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK),
    );
  } catch (error) {
    const errno = errnoOf(error);
    const message = `no pseudo-terminal can be opened: ${errno}`;
    throw new LaunchError({ stage: 'pty', errno, message, cause: error });
  }
}
