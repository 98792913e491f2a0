// Two moments of one terminal beside each other: what went from the screen, and what came.

import { screenDiff } from '../../log/screen-diff.js';
import { formatMoment, plural } from '../../text/format.js';
import { safeText } from '../../text/safe-text.js';

/** A moment that the user marked, with what the screen showed then. */
export interface MarkedMoment {
  readonly index: number;
  readonly seq: number;
  readonly atMs: number | undefined;
  readonly lines: readonly string[];
}

interface ComparePanelProps {
  readonly mark: MarkedMoment;
  readonly now: MarkedMoment;
  onClose(): void;
}

function nameOf({ seq, atMs }: MarkedMoment): string {
  return `seq ${seq}${atMs === undefined ? '' : `, ${formatMoment(atMs)}`}`;
}

export function ComparePanel({ mark, now, onClose }: ComparePanelProps) {
  const [first, second] = mark.index <= now.index ? [mark, now] : [now, mark];
  const changed = screenDiff(first.lines, second.lines);
  const gone = changed.filter(({ kind }) => kind === 'gone').length;
  return (
    <section class="compare" aria-label="Two moments compared">
      <header>
        <span>
          {nameOf(first)} → {nameOf(second)}
        </span>
        <span class="hint">
          {changed.length === 0
            ? 'the screen is the same; go to another moment'
            : `${plural(gone, 'line')} gone, ${changed.length - gone} new`}
        </span>
        <button type="button" class="quiet-button" onClick={onClose}>
          Close
        </button>
      </header>
      <pre>
        {changed.map(({ kind, text }, index) => (
          <div key={index} class={`change-${kind}`}>
            <span role="img" aria-label={kind === 'gone' ? 'gone' : 'new'}>
              {kind === 'gone' ? '−' : '+'}
            </span>{' '}
            {safeText(text)}
          </div>
        ))}
      </pre>
    </section>
  );
}
