// The output as lines: streams told apart, times, numbers, a filter.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { nextFrame } from '../../model/next-frame.js';
import type { ProcessRow } from '../../model/process-row.js';
import type { ProcessWatch, WatchState } from '../../model/process-watch.js';
import { formatMoment, plural } from '../../text/format.js';
import { Empty, FilterField } from '../parts.js';
import { go, type Route } from '../route.js';
import { VirtualList } from '../virtual-list.js';

interface OutputTabProps {
  readonly row: ProcessRow;
  readonly at: Extract<Route, { page: 'process' }>;
  readonly watch: ProcessWatch;
}

const ROW_HEIGHT = 20;

export function OutputTab({ row: { state }, at, watch }: OutputTabProps) {
  const reader = watch.lines;
  const filter = useSignal('');
  useEffect(() => watch.addReader(nextFrame), [watch]);
  const lines = useComputed(() => {
    void watch.log.version.value;
    const all = [...reader.read(), ...reader.open()];
    const wanted = filter.value.toLowerCase();
    return wanted === '' ? all : all.filter(({ text }) => text.toLowerCase().includes(wanted));
  });
  if (watch.state.value === 'unknown')
    return (
      <Empty title="Its output is no longer kept">
        <p>{watch.trouble.value}</p>
      </Empty>
    );
  const shown = lines.value;
  const focusIndex = at.seq === undefined ? undefined : shown.findIndex(({ seq }) => seq >= (at.seq ?? 0));
  return (
    <div class="output-tab">
      <div class="terminal-tools">
        <FilterField filter={filter} label="Filter lines" />
        <span class="hint">
          {plural(shown.length, 'line')}
          {reader.dropped > 0 ? `; ${plural(reader.dropped, 'older line')} not held` : ''}
        </span>
      </div>
      <VirtualList
        count={shown.length}
        rowHeight={ROW_HEIGHT}
        label="Output"
        role="log"
        empty={emptyText(watch.state.value, state, filter.value !== '')}
        followsEnd={at.seq === undefined}
        focusIndex={focusIndex}
        focusKey={String(at.seq)}
        row={(index) => {
          const line = shown[index];
          if (line === undefined) return <div key={index} />;
          return (
            <div key={index} class={`line line-${line.stream} ${line.seq === at.seq ? 'line-here' : ''}`}>
              <button
                type="button"
                class="line-moment"
                title={`Open the terminal at event ${line.seq}`}
                onClick={() => go({ ...at, tab: 'terminal', seq: line.seq })}
              >
                {line.atMs === 0 ? '' : formatMoment(line.atMs)} <span class="line-seq">{line.seq}</span>
              </button>
              <span class="line-text" dir="ltr">
                {line.text}
              </span>
            </div>
          );
        }}
      />
    </div>
  );
}

function emptyText(watch: WatchState, state: ProcessRow['state'], isFiltered: boolean): string {
  if (isFiltered) return 'No line fits the filter.';
  if (watch === 'opening') return 'Asking …';
  return state === 'running' || state === 'starting' ? 'It has written nothing yet.' : 'It wrote nothing.';
}
