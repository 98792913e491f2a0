// The watcher of one session under one policy.

import type { Clock } from '@codex/exec-protocol';
import { toWirePath } from '../../helper-protocol/helper-messages.js';
import type { ActiveWatch, MissingPaths, Watcher } from '../../watch/watcher.js';
import type { HelperHold } from '../calls/helper-source.js';
import type { RequestedPolicy } from '../policy/requested-policy.js';
import { PlaceWatch } from './granted-places.js';
import { openHelperWatch } from './helper-watch.js';
import { SandboxedWatch } from './sandboxed-watch.js';

export interface SandboxedWatcherOptions {
  readonly source: HelperHold;
  readonly policy: RequestedPolicy;
  readonly clock: Clock;
}

export function sandboxedWatcher(options: SandboxedWatcherOptions): Watcher {
  return {
    watch: (target) => SandboxedWatch.start({ ...options, target }),
    watchMissing: (paths, onChange) => watchMissing(options, paths, onChange),
  };
}

/** Whatever ends it early counts as a change: the client looks again. */
async function watchMissing(
  { source, policy, clock }: SandboxedWatcherOptions,
  { missing, present }: MissingPaths,
  onChange: () => void,
): Promise<ActiveWatch | undefined> {
  const places = await PlaceWatch.start({ policy: policy.resolved, clock });
  const state: { inHelper?: ActiveWatch | undefined; isOver: boolean } = { isOver: false };
  const end = (): void => {
    state.isOver = true;
    places.end();
    state.inHelper?.end();
  };
  const changed = (): void => {
    if (state.isOver) return;
    end();
    onChange();
  };
  places.onChange = changed;
  const args = {
    missing: missing.map(toWirePath),
    ...(present === undefined ? {} : { present: toWirePath(present) }),
  };
  try {
    state.inHelper = await openHelperWatch({
      source,
      setUp: async (helper, watch) => {
        const { result } = await helper.call({ operation: 'watchMissing', args: { ...args, watch } });
        return result === true;
      },
      news: changed,
      lost: changed,
    });
  } finally {
    if (state.inHelper === undefined || state.isOver) end();
  }
  return state.inHelper === undefined ? undefined : { end };
}
