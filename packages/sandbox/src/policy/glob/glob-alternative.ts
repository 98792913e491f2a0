// One deny glob without braces, matched component by component as a nondeterministic automaton. Two stars inside a
// component (`a**b`) cross components as well; they are states of their own, so they multiply neither patterns nor work.
import { anyComponent, type ComponentTest, compileComponent } from './glob-component.js';

interface State {
  readonly edges: readonly { readonly test: ComponentTest; readonly to: number }[];
  /** A `**`: takes any component and stays. */
  readonly stays: boolean;
  /** May be passed without a component. */
  readonly isOptional: boolean;
}

/** A position is a state: it says how much of the pattern has been matched. */
export class GlobAlternative {
  readonly #states: readonly State[];

  private constructor(states: readonly State[]) {
    this.#states = states;
  }

  /** Undefined for a range that runs backwards. */
  static compile(parts: readonly string[]): GlobAlternative | undefined {
    const states: State[] = [];
    for (const part of parts) {
      if (/^\*\*+$/.test(part)) {
        states.push(anyNumber);
        continue;
      }
      const test = compileComponent(part);
      if (test === undefined) return undefined;
      const segments = splitAtDoubleStars(part);
      if (segments.length === 1) states.push(oneComponent(test, states.length + 1));
      else states.push(...crossing(segments, states.length));
    }
    // At the end it means at least one: what is in the directory, and not the directory.
    if (states.at(-1) === anyNumber) states.push(oneComponent(anyComponent, states.length + 1));
    return new GlobAlternative(states);
  }

  /** What lies below the directory with these components, which are taken as they are. */
  static below(directory: readonly string[]): GlobAlternative {
    const fixed = directory.map((part, index) => oneComponent((name) => name === part, index + 1));
    return new GlobAlternative([...fixed, anyNumber, oneComponent(anyComponent, fixed.length + 2)]);
  }

  /** How much the pattern takes to match: for limits and tests. */
  get size(): number {
    return this.#states.length;
  }

  start(): readonly number[] {
    return this.#withSkipped([0]);
  }

  /** The positions after one more component; none means that nothing below can match. */
  next(positions: readonly number[], name: string): readonly number[] {
    const reached: number[] = [];
    for (const at of positions) {
      const state = this.#states[at];
      if (state === undefined) continue;
      if (state.stays) reached.push(at);
      for (const { test, to } of state.edges) if (test(name)) reached.push(to);
    }
    return reached.length === 0 ? reached : this.#withSkipped(reached);
  }

  isComplete(positions: readonly number[]): boolean {
    return positions.includes(this.#states.length);
  }

  #withSkipped(positions: readonly number[]): readonly number[] {
    const all = new Set(positions);
    for (const at of all) if (this.#states[at]?.isOptional === true) all.add(at + 1);
    return [...all];
  }
}

const anyNumber: State = { edges: [], stays: true, isOptional: true };

function oneComponent(test: ComponentTest, to: number): State {
  return { edges: [{ test, to }], stays: false, isOptional: false };
}

/**
 * The states of `s0**s1**…**sk`. State i: everything before segment i is matched, and for i > 0 a path separator lies
 * inside the stars before it. One component may end after any later segment, inside the stars that follow.
 */
function crossing(segments: readonly string[], first: number): State[] {
  const last = segments.length - 1;
  return segments.map((_, from) => {
    const edges = segments.slice(from).map((_segment, offset) => {
      const until = from + offset;
      const inner = segments.slice(from, until + 1).join('*');
      const text = `${from > 0 ? '*' : ''}${inner}${until < last ? '*' : ''}`;
      return { test: onFirstUse(text), to: first + until + 1 };
    });
    return { edges, stays: from > 0, isOptional: false };
  });
}

/** Most of them are never reached. The whole component was compiled before, so its pieces can be. */
function onFirstUse(text: string): ComponentTest {
  let compiled: ComponentTest | undefined;
  return (name) => {
    compiled ??= compileComponent(text) ?? anyComponent;
    return compiled(name);
  };
}

/** At two or more stars that are neither quoted nor in brackets. */
function splitAtDoubleStars(part: string): string[] {
  const segments: string[] = [];
  let start = 0;
  for (let at = 0; at < part.length; at += 1) {
    if (part.startsWith('**', at)) {
      segments.push(part.slice(start, at));
      while (part[at + 1] === '*') at += 1;
      start = at + 1;
    } else if (part[at] === '\\') at += 1;
    else if (part[at] === '[' && part.includes(']', at + 2)) at = part.indexOf(']', at + 2);
  }
  return [...segments, part.slice(start)];
}
