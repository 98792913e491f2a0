// A scale for a timeline on which long idle times take little room. Pure.

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Fold {
  /** 0 to 1. */
  readonly at: number;
  readonly width: number;
  readonly idleMs: number;
}

export interface FoldedScale {
  /** From a moment to 0 … 1. */
  position(atMs: number): number;
  readonly folds: readonly Fold[];
}

/** Idle times longer than `foldMs` are drawn as wide as `foldMs`. */
export function foldIdle(spans: readonly Span[], foldMs: number): FoldedScale {
  const busy = merge(spans);
  const first = busy[0];
  const last = busy.at(-1);
  if (first === undefined || last === undefined) return { position: () => 0, folds: [] };
  const starts: number[] = [];
  const folded: { readonly at: number; readonly idleMs: number }[] = [];
  let shown = 0;
  for (const [index, span] of busy.entries()) {
    const before = busy[index - 1];
    const idleMs = before === undefined ? 0 : span.fromMs - before.toMs;
    if (idleMs > foldMs) folded.push({ at: shown, idleMs });
    shown += Math.min(idleMs, foldMs);
    starts.push(shown);
    shown += span.toMs - span.fromMs;
  }
  const total = Math.max(shown, 1);
  const position = (atMs: number): number => {
    if (atMs <= first.fromMs) return 0;
    const index = busy.findLastIndex(({ fromMs }) => fromMs <= atMs);
    const span = busy[index] ?? first;
    const within = Math.min(atMs, span.toMs) - span.fromMs;
    const next = busy[index + 1];
    const idle = Math.max(0, atMs - span.toMs);
    const gap = next === undefined ? 0 : next.fromMs - span.toMs;
    const inGap = gap > foldMs ? (idle / gap) * foldMs : idle;
    return Math.min(1, ((starts[index] ?? 0) + within + (next === undefined ? 0 : inGap)) / total);
  };
  const folds = folded.map(({ at, idleMs }) => ({ at: at / total, width: foldMs / total, idleMs }));
  return { position, folds };
}

function merge(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.fromMs - b.fromMs);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.fromMs <= last.toMs)
      merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    else merged.push({ fromMs: span.fromMs, toMs: Math.max(span.fromMs, span.toMs) });
  }
  return merged;
}
