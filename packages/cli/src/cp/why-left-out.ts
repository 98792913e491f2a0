// Why a part of a tree was not copied, in words.
import type { SkippedEntry } from '@codex/exec-client';
import { visibleText } from '@codex/exec-protocol';

const REASONS: Readonly<Record<SkippedEntry['why'], string>> = {
  notAFile: 'neither a file, a directory nor a link',
  brokenLink: 'a link that leads nowhere',
  linkLeadsOut: 'a link that leads out of the tree',
  denied: 'it may not be read',
  nameIsNotText: 'its name is not UTF-8',
  tooDeep: 'too many directories in each other',
};

/** A newer server may have reasons that are not known here. */
export function whyLeftOut(why: string): string {
  return Object.hasOwn(REASONS, why) ? REASONS[why as SkippedEntry['why']] : visibleText(why);
}
