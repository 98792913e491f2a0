// The terminal at any moment of its log. At the end it follows; anywhere else it stands still, whatever comes.

import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Player } from '../../log/player.js';
import { nextFrame } from '../../model/next-frame.js';
import type { ProcessRow } from '../../model/process-row.js';
import type { ProcessWatch } from '../../model/process-watch.js';
import { DARK, LIGHT } from '../../terminal/themes.js';
import type { XtermScreen } from '../../terminal/xterm-screen.js';
import { dialog, theme } from '../context.js';
import { Empty } from '../parts.js';
import { moveTo, type Route } from '../route.js';
import { ComparePanel, type MarkedMoment } from './compare-panel.js';
import { FindBar } from './find-bar.js';
import { Slider } from './slider.js';
import { TypingBar, useTyping } from './typing-bar.js';

interface TerminalTabProps {
  readonly at: Extract<Route, { page: 'process' }>;
  readonly row: ProcessRow;
  readonly watch: ProcessWatch;
  /** It is the tab that is shown. */
  readonly isHere: boolean;
}

const PIPE_SIZE = { cols: 120, rows: 32 };
const FONT_SIZES = [6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24] as const;
const USUAL_FONT_SIZE = 13;
/** The smallest size that is legible; the rest is reached by scrolling. */
const SMALLEST_FITTED = 9;

/** The largest of the usual sizes at which the whole width is seen; the owner decides the columns, not who watches. */
function fittingSize(frame: HTMLElement, screen: XtermScreen, current: number): number {
  const room = frame.clientWidth - FRAME_MARGIN;
  const { width } = screen;
  if (width <= 0 || room <= 0) return current;
  const wanted = (current * room) / width;
  const fitting = FONT_SIZES.findLast((size) => size <= Math.min(USUAL_FONT_SIZE, wanted));
  return Math.max(SMALLEST_FITTED, fitting ?? SMALLEST_FITTED);
}

/** What stands left and right of the screen inside of its frame. */
const FRAME_MARGIN = 56;

/** While a question is open nothing behind it is drawn at full speed: whoever wants to stop a flood is not kept waiting by it. */
const QUESTION_PACE_MS = 150;

async function whileAsking(): Promise<void> {
  if (dialog.peek() !== undefined) await new Promise((resolve) => setTimeout(resolve, QUESTION_PACE_MS));
}

export function TerminalTab({ at, row, watch, isHere }: TerminalTabProps) {
  const holder = useRef<HTMLDivElement>(null);
  const screen = useRef<XtermScreen | undefined>(undefined);
  const player = useRef<Player | undefined>(undefined);
  const refit = useRef<(() => void) | undefined>(undefined);
  const hasFitted = useRef(false);
  const fontSize = useSignal<number>(USUAL_FONT_SIZE);
  /** The index that is shown, or undefined for the end. */
  const position = useSignal<number | undefined>(undefined);
  const isReady = useSignal(false);
  /** What is on the screen, when nothing is being written to it. */
  const shownAt = useSignal(0);
  /** The moment of the address that is on the screen, or will be when its output is here. */
  const addressed = useRef(at.seq);
  const wantedSeq = useRef(at.seq);
  const mark = useSignal<MarkedMoment | undefined>(undefined);
  const typing = useTyping(row, () => position.peek() === undefined);

  /** Where the frame was scrolled to for the cursor; who scrolls it elsewhere is left there. */
  const followed = useRef(0);
  const willFollow = useRef(false);

  /** A terminal that is taller than its frame shows the line that is written. */
  const followCursor = async (): Promise<void> => {
    if (willFollow.current) return;
    willFollow.current = true;
    await nextFrame();
    willFollow.current = false;
    const frame = holder.current?.parentElement;
    if (!frame || frame.scrollTop !== followed.current) return;
    const below = (screen.current?.cursorBottom ?? 0) + FRAME_MARGIN - frame.clientHeight;
    frame.scrollTop = Math.max(0, below);
    followed.current = frame.scrollTop;
  };

  const show = async (index: number): Promise<void> => {
    await player.current?.show(index);
    shownAt.value = player.current?.at ?? 0;
    void followCursor();
  };

  useEffect(() => {
    const parent = holder.current;
    if (parent === null) return undefined;
    let isGone = false;
    const cleanUp: (() => void)[] = [];
    const start = async (): Promise<void> => {
      const { openXterm } = await import('../../terminal/xterm-screen.js');
      if (isGone) return;
      const xterm = openXterm({
        parent,
        theme: theme.peek() === 'dark' ? DARK : LIGHT,
        fontSize: fontSize.peek(),
        askToOpen: (address) => {
          dialog.value = { kind: 'link', address };
        },
        typing,
      });
      screen.current = xterm;
      const fit = (): void => {
        const frame = parent.parentElement;
        if (frame === null || frame.clientWidth === 0) return;
        fontSize.value = fittingSize(frame, xterm, fontSize.peek());
        hasFitted.current = true;
      };
      const size = row.tty ? { cols: row.cols ?? 80, rows: row.rows ?? 24 } : PIPE_SIZE;
      const shown = new Player(watch.log, xterm, watch.size.peek() ?? size);
      player.current = shown;
      cleanUp.push(
        effect(() => xterm.setTheme(theme.value === 'dark' ? DARK : LIGHT)),
        effect(() => xterm.setFontSize(fontSize.value)),
        effect(() => xterm.setTyping(typing.isOn.value)),
        watch.addReader((end) => {
          const seq = wantedSeq.current;
          if (seq !== undefined && watch.log.nextSeq > seq) {
            wantedSeq.current = undefined;
            position.value = watch.log.indexAfter(seq);
          }
          // Standing in the past there is nothing to draw, and what comes is taken at the pace of frames.
          const drawn =
            position.peek() === undefined ? show(end) : show(position.peek() ?? end).then(nextFrame);
          return drawn.then(whileAsking);
        }),
      );
      if (wantedSeq.current !== undefined && watch.log.nextSeq > wantedSeq.current) {
        position.value = watch.log.indexAfter(wantedSeq.current);
        wantedSeq.current = undefined;
      }
      refit.current = fit;
      await show(position.peek() ?? watch.log.endIndex);
      fit();
      isReady.value = true;
    };
    void start();
    return () => {
      isGone = true;
      for (const clean of cleanUp) clean();
      screen.current?.dispose();
    };
  }, [watch]);

  // A link, or a line of the output, leads to another moment.
  useEffect(() => {
    if (!isHere || addressed.current === at.seq) return;
    addressed.current = at.seq;
    const isKnown = at.seq !== undefined && watch.log.nextSeq > at.seq;
    wantedSeq.current = isKnown ? undefined : at.seq;
    position.value = isKnown ? watch.log.indexAfter(at.seq ?? 0) : undefined;
    void show(position.value ?? watch.log.endIndex);
  }, [at.seq, isHere]);
  useEffect(() => {
    if (!isHere) typing.isOn.value = false;
    // What was opened behind another tab had no width.
    else if (!hasFitted.current) refit.current?.();
  }, [isHere, isReady.value]);

  const seek = (index: number | undefined): void => {
    position.value = index;
    void show(index ?? watch.log.endIndex);
    const entry = index === undefined ? undefined : watch.log.at(index - 1);
    addressed.current = entry?.seq;
    moveTo({ ...at, seq: entry?.seq });
  };
  const moment = (): MarkedMoment => {
    const entry = watch.log.at(shownAt.value - 1);
    const atMs = entry !== undefined && 'atMs' in entry ? entry.atMs : undefined;
    return { index: shownAt.value, seq: entry?.seq ?? 0, atMs, lines: screen.current?.lines() ?? [] };
  };
  const zoom = (step: 1 | -1): void => {
    const next = FONT_SIZES[FONT_SIZES.indexOf(fontSize.value as 13) + step];
    if (next !== undefined) fontSize.value = next;
  };
  if (watch.state.value === 'unknown')
    return (
      <Empty title="Its output is no longer kept">
        <p>{watch.trouble.value}</p>
      </Empty>
    );
  return (
    <div class="terminal-tab">
      <div class="terminal-tools">
        <FindBar
          find={(text, backwards) => screen.current?.find(text, backwards) ?? false}
          clear={() => screen.current?.clearFind()}
        />
        <TypingBar row={row} typing={typing} isLive={position.value === undefined} />
        <span class="zoom">
          {!row.tty && <span class="hint">not a terminal: shown at {PIPE_SIZE.cols} columns</span>}
          <button type="button" class="quiet-button" aria-label="Smaller text" onClick={() => zoom(-1)}>
            A−
          </button>
          <button type="button" class="quiet-button" aria-label="Larger text" onClick={() => zoom(1)}>
            A+
          </button>
        </span>
      </div>
      <div
        class={`terminal-frame ${typing.isOn.value ? 'is-typing' : ''}`}
        data-ready={isReady.value}
        data-at={shownAt.value}
      >
        <div class="terminal-holder" ref={holder} />
      </div>
      {mark.value !== undefined && (
        <ComparePanel
          mark={mark.value}
          now={moment()}
          onClose={() => {
            mark.value = undefined;
          }}
        />
      )}
      <Slider
        row={row}
        watch={watch}
        position={position.value}
        onSeek={seek}
        onMark={() => {
          mark.value = moment();
        }}
      />
    </div>
  );
}
