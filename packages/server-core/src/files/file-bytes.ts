// Decodes the file bytes of a request: base64, with the peer's messages for what is wrong with it, within the bounds
// of a block.

import type { FsLimits } from '@codex/exec-files';
import {
  decodeBase64,
  explainBase64,
  invalidFileBase64,
  invalidParams,
  invalidRequest,
} from '@codex/exec-protocol';

export function decodeFile(dataBase64: string): Uint8Array {
  const bytes = decodeBase64(dataBase64);
  if (bytes === undefined) throw invalidFileBase64(explainBase64(dataBase64));
  return bytes;
}

export function decodeBlock(chunk: string): Uint8Array {
  const bytes = decodeBase64(chunk);
  if (bytes === undefined) throw invalidParams(explainBase64(chunk));
  return bytes;
}

export function checkedBlockLength(
  kind: 'read' | 'write',
  length: number,
  { maxBlockBytes }: Pick<FsLimits, 'maxBlockBytes'>,
): number {
  if (length < 1 || length > maxBlockBytes) {
    throw invalidRequest(`file ${kind} block length must be between 1 and ${maxBlockBytes}`);
  }
  return length;
}
