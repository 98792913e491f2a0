// Looks at the file of a step, and that it is still the one.
import { accessSync, type BigIntStats, constants, lstatSync } from 'node:fs';
import type { PathStep } from '../broker/exec-request.js';
import type { FileFacts } from './program-trust.js';

export function fileFactsOf(step: PathStep): FileFacts | undefined {
  let facts: BigIntStats | undefined;
  try {
    facts = lstatSync(step.path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  if (facts === undefined || facts.dev !== step.device || facts.ino !== step.inode) return undefined;
  return { links: Number(facts.nlink), device: Number(facts.dev), isOwnToWrite: canWrite(step.path, facts) };
}

/** Who owns a file can give himself the right to write to it. */
function canWrite(path: string, { uid }: BigIntStats): boolean {
  if (uid === BigInt(process.geteuid?.() ?? -1)) return true;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
