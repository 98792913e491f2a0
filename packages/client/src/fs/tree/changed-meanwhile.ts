// The error of a file that became another one while it was copied.

import { ExecServerError } from '../../exec-server-error.js';

export function changedMeanwhile(path: string, where: 'here' | 'on the server'): ExecServerError<'fs.io'> {
  return new ExecServerError('fs.io', `${path}: was changed ${where} while it was copied`, {
    details: { path },
    hint: 'Nothing was replaced. Copy it again, or, while it is being written, read it as a stream.',
  });
}
