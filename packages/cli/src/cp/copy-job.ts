// The parameters that uploads and downloads share.

import { randomBytes } from 'node:crypto';
import type { ExecServerClient, Progress, Transfer, TransferSummary } from '@codex/exec-client';
import { visibleText } from '@codex/exec-protocol';
import { printError } from '../print-text.js';
import type { ProgressLine } from './progress-line.js';
import { whyLeftOut } from './why-left-out.js';

export interface CopyJob {
  readonly client: ExecServerClient;
  readonly local: string;
  readonly remote: string;
  readonly recursive: boolean;
  readonly force: boolean;
  /** Patterns of what is left out of a tree. */
  readonly exclude: readonly string[];
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

/** A name beside the target under which it is written until it is whole. */
export function partialName(path: string): string {
  const slash = path.lastIndexOf('/');
  const [directory, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  return `${directory}.${name}.${randomBytes(6).toString('hex')}.part`;
}

/** Follows one transfer to its end. `name`: of a single file, which has no path below a root. */
export async function follow(transfer: Transfer<unknown>, progress: ProgressLine, name = ''): Promise<void> {
  let seen = { bytes: 0, files: 0, totalBytes: 0 };
  for await (const step of transfer as AsyncIterable<Progress>) {
    const { bytes, files = 0, totalBytes = seen.totalBytes, totalFiles, path = '' } = step;
    if (totalFiles !== undefined) progress.totalFiles(totalFiles);
    if (totalBytes > seen.totalBytes) progress.total(totalBytes - seen.totalBytes);
    if (files > seen.files) progress.file(path === '' ? name : path, files - seen.files);
    progress.bytes(bytes - seen.bytes);
    seen = { bytes, files, totalBytes };
  }
}

export function tellSkipped({ skipped }: TransferSummary): void {
  for (const { path, why } of skipped)
    printError(`exec-server cp: left out ${visibleText(path)}: ${whyLeftOut(why)}\n`);
}
