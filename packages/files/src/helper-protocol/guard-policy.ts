// The policy as it is sent to a helper.
import type { ResolvedPolicy } from '@codex/sandbox';

export type GuardPolicy = Pick<ResolvedPolicy, 'rules' | 'denyGlobs' | 'protectedNames' | 'fullDiskWrite'>;

/** A granted path and the file that it was when the sandbox was asked for. */
export interface GrantedPlace {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}
