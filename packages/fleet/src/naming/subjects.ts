// The subjects of a fleet. Who subscribes where is the registry; who may publish where is the identity: the broker refuses
// a client that writes under another one's key, so a subject says who speaks.

import { FleetError } from '../fleet-error.js';

const ROOT = 'exec.v1';

/** What may stand in a subject as one word. A session id is made of such words, so `~` is not among them. */
const WORD = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the name; throws FLEET_NAME when it cannot stand in a subject. */
export function checkedName(what: string, name: string): string {
  if (WORD.test(name)) return name;
  throw new FleetError(
    'FLEET_NAME',
    `${what} ${JSON.stringify(name)} is not a name: use up to 64 letters, digits, "-" and "_"`,
    { details: { what, name } },
  );
}

export function isName(name: string): boolean {
  return WORD.test(name);
}

/** A client speaks for itself, a gateway for those who are connected to it. The broker keeps the two apart. */
export type CallerRole = 'c' | 'g';

export interface Caller {
  readonly role: CallerRole;
  /** The public key of its credentials; `anonymous` on a broker without authentication. */
  readonly key: string;
}

export const ANONYMOUS = 'anonymous';
export const QUEUE_GROUP = 'exec';

/** All subjects of one environment. */
export class Subjects {
  readonly environment: string;
  readonly #base: string;

  constructor(environment: string) {
    this.environment = checkedName('the environment', environment);
    this.#base = `${ROOT}.${environment}`;
  }

  /** A caller asks any machine for a session. */
  acquire({ role, key }: Caller): string {
    return `${this.#base}.open.${role}.${key}`;
  }

  get everyAcquire(): string {
    return `${this.#base}.open.*.*`;
  }

  /** The caller asks one machine, to take a session up or because it was named. */
  openAt(executor: string, caller: Caller): string {
    return `${this.machine(executor)}.${caller.role}.${caller.key}.open`;
  }

  /** Frames to a machine. */
  toMachine(executor: string, caller: Caller, channel: string): string {
    return `${this.machine(executor)}.${caller.role}.${caller.key}.${channel}`;
  }

  /** Everything that is sent to one machine is below this. */
  machine(executor: string): string {
    return `${this.#base}.x.${executor}`;
  }

  /**
   * Everything that is sent to one program of a caller is below this. Programs with the same credentials, as the copies of
   * a gateway are, do not receive each other's frames.
   */
  caller({ role, key }: Caller, instance: string): string {
    return `${this.#base}.r.${role}.${key}.${instance}`;
  }

  /**
   * Whether frames of the caller may be answered at this subject: below its own, the words for a program and a channel. A machine must
   * not be made to write to others, nor where it may not write, nor a line that is too long for its broker.
   */
  belongsTo(subject: string, { role, key }: Caller): boolean {
    return isBelow(subject, `${this.#base}.r.${role}.${key}.`, 2);
  }

  /** Whether frames of a machine to the caller may be answered at this subject. */
  isMachines(subject: string, { role, key }: Caller): boolean {
    const [executor = ''] = subject.slice(this.#base.length + '.x.'.length).split('.', 1);
    return isName(executor) && isBelow(subject, `${this.machine(executor)}.${role}.${key}.`, 1);
  }

  beat(executor: string): string {
    return `${this.#base}.beat.${executor}`;
  }

  /** A caller says that it found no machine with room. */
  want({ role, key }: Caller): string {
    return `${this.#base}.want.${role}.${key}`;
  }

  /** An operator asks a machine to drain. */
  drain(executor: string): string {
    return `${this.#base}.drain.${executor}`;
  }
}

function isBelow(subject: string, prefix: string, count: number): boolean {
  if (!subject.startsWith(prefix)) return false;
  const words = subject.slice(prefix.length).split('.');
  return words.length === count && words.every(isName);
}

/** The beats of every machine of every environment that the credentials may see. */
export function everyBeat(environment = '*'): string {
  return `${ROOT}.${environment}.beat.*`;
}

/** Every caller that found no machine with room. */
export function everyWant(environment = '*'): string {
  return `${ROOT}.${environment}.want.*.*`;
}

/** The environment and the last word of a subject: the broker's permissions let only its owner write there. */
export function placeOf(subject: string): { readonly environment: string; readonly last: string } {
  const words = subject.split('.');
  return { environment: words[2] ?? '', last: words.at(-1) ?? '' };
}

/** Who wrote to `open.<role>.<key>` or `x.<executor>.<role>.<key>.<rest>`, from the words behind the fixed part. */
export function callerOf(role: string | undefined, key: string | undefined): Caller | undefined {
  if ((role !== 'c' && role !== 'g') || key === undefined || !isName(key)) return undefined;
  return { role, key };
}
