// The torn edge: how a terminal shows that output is missing. It is written into the terminal, where it can be found,
// copied and scrolled like everything else. Modes that the missing part may have left are undone first.

import { formatBytes } from '../text/format.js';
import type { LogEntry } from './log-store.js';

type Gap = Extract<LogEntry, { kind: 'gap' }>;

const WHY: Readonly<Record<Gap['why'], string>> = {
  evicted: 'gone',
  skipped: 'skipped',
  page: 'no longer held by this page',
};

export function gapSentence(gap: Gap): string {
  const range = gap.toSeq > gap.seq ? `seq ${gap.seq} to ${gap.toSeq}` : `seq ${gap.seq}`;
  return `${formatBytes(gap.bytes)} ${gap.bytes === 1 ? 'is' : 'are'} ${WHY[gap.why]} (${range})`;
}

/** Out of a string sequence, attributes off, main screen, then a line of its own. */
export function gapText(gap: Gap): string {
  return `\u001b\\\u001b[0m\u001b[?1049l\r\n\u001b[33m⌇⌇⌇ ${gapSentence(gap)} ⌇⌇⌇\u001b[0m\r\n`;
}
