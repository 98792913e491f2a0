// Time travel: a cursor over the numbered log. Every position is one event; gaps are marked on the track.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asciicast, logLines } from '../../log/export.js';
import { gapSentence } from '../../log/gap-text.js';
import type { ProcessRow } from '../../model/process-row.js';
import type { ProcessWatch } from '../../model/process-watch.js';
import { formatMoment } from '../../text/format.js';
import { tell } from '../context.js';
import { Icon } from '../icons.js';
import { download } from '../parts.js';
import { addressOf } from '../route.js';

interface SliderProps {
  readonly row: ProcessRow;
  readonly watch: ProcessWatch;
  readonly position: number | undefined;
  onSeek(index: number | undefined): void;
  /** This moment is to be compared with another one. */
  onMark(): void;
}

/** The longest pause that playing waits through. */
const MAX_PAUSE_MS = 1500;
const MAX_GAP_MARKS = 50;

export function Slider({ row, watch, position, onSeek, onMark }: SliderProps) {
  const { log } = watch;
  void log.version.value;
  const isPlaying = useSignal(false);
  const { firstIndex, endIndex } = log;
  const at = position ?? endIndex;
  const entry = log.at(at - 1);
  const atMs = entry !== undefined && 'atMs' in entry ? entry.atMs : undefined;

  useEffect(() => {
    if (!isPlaying.value) return undefined;
    if (at >= log.endIndex) {
      isPlaying.value = false;
      return undefined;
    }
    const next = log.at(at);
    const pause = next !== undefined && 'atMs' in next && atMs !== undefined ? next.atMs - atMs : 0;
    const timer = setTimeout(() => onSeek(at + 1), Math.max(8, Math.min(pause, MAX_PAUSE_MS)));
    return () => clearTimeout(timer);
  });

  const step = (by: number): void => {
    isPlaying.value = false;
    onSeek(Math.max(firstIndex, Math.min(endIndex, at + by)));
  };
  const play = (): void => {
    if (!isPlaying.value && at >= endIndex) onSeek(firstIndex);
    isPlaying.value = !isPlaying.value;
  };
  return (
    <fieldset class="time-travel" aria-label="Time travel">
      <button type="button" class="quiet-button" aria-label="One event back" onClick={() => step(-1)}>
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="quiet-button"
        aria-label={isPlaying.value ? 'Pause' : 'Play from here'}
        onClick={play}
      >
        <Icon name={isPlaying.value ? 'pause' : 'play'} />
      </button>
      <button type="button" class="quiet-button" aria-label="One event forward" onClick={() => step(1)}>
        <Icon name="forward" />
      </button>
      <div class="track">
        <input
          type="range"
          min={firstIndex}
          max={endIndex}
          value={at}
          aria-label="Moment in the log"
          aria-valuetext={`event ${entry?.seq ?? 0}${atMs === undefined ? '' : `, ${formatMoment(atMs)}`}`}
          onInput={(event) => {
            isPlaying.value = false;
            const index = Number(event.currentTarget.value);
            onSeek(index >= endIndex ? undefined : index);
          }}
        />
        <GapMarks watch={watch} />
      </div>
      <output class="moment">
        seq {entry?.seq ?? 0}
        {atMs === undefined ? '' : ` · ${formatMoment(atMs)}`}
      </output>
      <button
        type="button"
        class={`live-button ${position === undefined ? 'is-live' : ''}`}
        aria-pressed={position === undefined}
        onClick={() => {
          isPlaying.value = false;
          onSeek(undefined);
        }}
      >
        {row.alive ? '● Live' : 'End'}
      </button>
      <button
        type="button"
        class="quiet-button mark-button"
        title="Mark this moment, and compare others with it (m)"
        aria-label="Compare with this moment"
        onClick={onMark}
      >
        <Icon name="mark" />
      </button>
      <Exports row={row} watch={watch} seq={entry?.seq ?? 0} />
    </fieldset>
  );
}

function GapMarks({ watch: { log } }: { readonly watch: ProcessWatch }) {
  const length = Math.max(1, log.endIndex - log.firstIndex);
  const { dropped, gaps } = log;
  const marks = gaps.slice(-MAX_GAP_MARKS).map(({ index, gap }) => ({
    at: (index - log.firstIndex) / length,
    text: gapSentence(gap),
  }));
  if (dropped !== undefined) marks.unshift({ at: 0, text: gapSentence(dropped) });
  return (
    <>
      {marks.map((mark) => (
        <span key={mark.at} class="gap-mark" style={{ left: `${mark.at * 100}%` }} title={mark.text}>
          ⌇
        </span>
      ))}
    </>
  );
}

function Exports({
  row,
  watch,
  seq,
}: {
  readonly row: ProcessRow;
  readonly watch: ProcessWatch;
  readonly seq: number;
}) {
  const name = row.processId.replace(/[^\w.-]+/g, '_');
  const entries = (): ReturnType<typeof watch.log.range> =>
    watch.log.range(watch.log.firstIndex, watch.log.endIndex);
  const cast = (): void => {
    const size = watch.size.peek() ?? { cols: row.cols ?? 80, rows: row.rows ?? 24 };
    const header = { ...size, startedAtMs: row.startedAtMs, title: row.title };
    download(`${name}.cast`, 'application/x-asciicast', asciicast(entries(), header));
  };
  const share = (): void => {
    const { session, processId } = row;
    const address =
      location.origin +
      location.pathname +
      addressOf({ page: 'process', session, processId, tab: 'terminal', seq });
    navigator.clipboard.writeText(address).then(
      () => tell(`A link to event ${seq} is copied.`),
      () => tell('The browser did not allow copying.'),
    );
  };
  return (
    <span class="exports">
      <button type="button" class="quiet-button" onClick={share} title="Copy a link to this moment">
        <Icon name="link" /> <span class="export-name">link</span>
      </button>
      <button type="button" class="quiet-button" onClick={cast} title="Save as asciicast">
        <Icon name="download" /> <span class="export-name">cast</span>
      </button>
      <button
        type="button"
        class="quiet-button"
        title="Save the log as JSON lines"
        onClick={() => download(`${name}.ndjson`, 'application/x-ndjson', logLines(entries()))}
      >
        <Icon name="download" /> <span class="export-name">json</span>
      </button>
    </span>
  );
}
