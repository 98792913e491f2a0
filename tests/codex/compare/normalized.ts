// What two runs of one script cannot have in common, replaced by a star: times, random ids, the CLI's own home.
import type { TurnRecord } from '../cli/play-turn.js';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/Chunk ID: [0-9a-f]{6}/g, 'Chunk ID: *'],
  [/Wall time: \d+(\.\d+)? seconds/g, 'Wall time: * seconds'],
  [/codex-arg0\w{6}/g, 'codex-arg0*'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:*'],
  [/session ID \d+/g, 'session ID *'],
  [/(session_id\\?":)\d+/g, '$1*'],
  [/Unknown process id \d+/g, 'Unknown process id *'],
  [/cannot start in \S+:/g, 'cannot start in *:'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>'],
];

export interface ComparableTurn {
  /** Texts the model is given before it speaks. */
  readonly opening: readonly string[];
  readonly exchanges: readonly { readonly call: string; readonly output: string }[];
  readonly workspace: Readonly<Record<string, string>>;
}

export function normalized({ opening, exchanges, workspace, homes }: TurnRecord): ComparableTurn {
  const clean = (text: string) => normalizedText(text, homes);
  return {
    opening: opening.map((item) => clean(JSON.stringify(item['content'] ?? item.type))),
    exchanges: exchanges.map(({ tool, input, output }) => ({
      call: clean(`${tool} ${String(input)}`),
      output: clean(typeof output === 'string' ? output : JSON.stringify(output)),
    })),
    workspace,
  };
}

export function normalizedText(text: string, homes: readonly string[]): string {
  const neutral = homes.reduce((result, home) => result.replaceAll(home, '<home>'), text);
  return PATTERNS.reduce((result, [pattern, star]) => result.replace(pattern, star), neutral);
}
