// The heartbeat in which a machine describes itself: every few seconds and when something changes. It is soft state: a
// reader collects them, and a machine that was not heard for a while does not exist for it.

export type MachineState = 'serving' | 'draining';

export interface Beat {
  readonly v: number;
  readonly environment: string;
  readonly executor: string;
  readonly boot: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly state: MachineState;
  readonly sessions: number;
  readonly maxSessions: number;
  readonly channels: number;
  readonly version: string;
  readonly host: string;
}

export const BEAT_MS = 5000;
/** A machine that was not heard for so long is not shown. */
export const FORGOTTEN_AFTER_MS = 15_000;

export function encodeBeat(beat: Beat): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(beat));
}

/** Undefined for what is no beat. */
export function decodeBeat(data: Uint8Array): Beat | undefined {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = Object(JSON.parse(new TextDecoder().decode(data))) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const texts = ['environment', 'executor', 'boot', 'version', 'host'];
  const counts = ['v', 'startedAt', 'sessions', 'maxSessions', 'channels'];
  const isBeat =
    texts.every((name) => isShortText(value[name])) &&
    counts.every((name) => isCount(value[name])) &&
    (value['state'] === 'serving' || value['state'] === 'draining');
  return isBeat ? (value as unknown as Beat) : undefined;
}

const MOST_CHARACTERS = 256;

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MOST_CHARACTERS;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
