// One watch in one helper, from its set-up to its end or to the loss of the helper.

import type { WatchNews } from '../../helper-protocol/helper-messages.js';
import type { ActiveWatch } from '../../watch/watcher.js';
import { attempt, type HelperHold, MAX_ATTEMPTS } from '../calls/helper-source.js';
import type { HelperProcess } from '../pool/helper-process.js';

export interface HelperWatchOptions {
  readonly source: HelperHold;
  /** Sets the watch up under the number that the helper's news of it will carry; false: there is nothing to watch. */
  readonly setUp: (helper: HelperProcess, watch: number) => Promise<boolean>;
  readonly news: (news: WatchNews) => void;
  readonly lost: () => void;
}

/** Undefined when there is nothing to watch. News may come before this resolves. */
export async function openHelperWatch(options: HelperWatchOptions): Promise<ActiveWatch | undefined> {
  const { source, setUp, news, lost } = options;
  const open = async (helper: HelperProcess): Promise<ActiveWatch | undefined> => {
    let isSet = false;
    const watch = helper.subscribe({
      news,
      // While it is being set up, the loss fails the call.
      lost: () => isSet && lost(),
    });
    try {
      isSet = await setUp(helper, watch);
    } finally {
      if (!isSet) helper.unsubscribe(watch);
    }
    if (!isSet) return undefined;
    // Lost right behind its answer.
    if (helper.isLost) queueMicrotask(lost);
    return activeWatch({ helper, watch, release: source.hold(helper) });
  };
  return attempt(MAX_ATTEMPTS, () => source.use(open));
}

interface Parts {
  readonly helper: HelperProcess;
  readonly watch: number;
  readonly release: () => void;
}

function activeWatch({ helper, watch, release }: Parts): ActiveWatch {
  let isEnded = false;
  return {
    end: () => {
      if (isEnded) return;
      isEnded = true;
      helper.unsubscribe(watch);
      // With its helper the watch is over already.
      void helper
        .call({ operation: 'unwatch', args: { watch } })
        .catch(() => undefined)
        .finally(release);
    },
  };
}
