// Processes in the order of a tree: each below who started it. Pure.

import type { TreeMember } from '@codex/exec-protocol';

export interface NestedMember {
  readonly member: TreeMember;
  readonly depth: number;
}

/** The deepest that is drawn: a chain of shells that call each other stays on the screen. */
const MAX_DEPTH = 12;

export function nestTree(members: readonly TreeMember[]): readonly NestedMember[] {
  const known = new Set(members.map(({ pid }) => pid));
  const below = new Map<number, TreeMember[]>();
  for (const member of members) {
    // One whose parent is gone, or is the supervisor, stands at the top.
    const parent = known.has(member.parentPid) && member.parentPid !== member.pid ? member.parentPid : 0;
    below.set(parent, [...(below.get(parent) ?? []), member]);
  }
  const nested: NestedMember[] = [];
  const seen = new Set<number>();
  const add = (parent: number, depth: number): void => {
    for (const member of below.get(parent) ?? []) {
      if (seen.has(member.pid)) continue;
      seen.add(member.pid);
      nested.push({ member, depth: Math.min(depth, MAX_DEPTH) });
      add(member.pid, depth + 1);
    }
  };
  add(0, 0);
  // A circle has no top; pids are reused between two looks of the kernel.
  for (const member of members) if (!seen.has(member.pid)) nested.push({ member, depth: 0 });
  return nested;
}
