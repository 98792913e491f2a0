// The texts of the real CLI, written down for tests that run without it.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface RecordedCall {
  readonly tool: string;
  readonly arguments: string;
}

const FOLDER = fileURLToPath(new URL('../../integration/unified-exec/recorded/', import.meta.url));
const MAX_TEXT = 1_500;

/** The numbers of sessions as the order in which they were first named. */
export function withoutSessions(text: string, outputs: readonly string[]): string {
  const ids = [...new Set(outputs.flatMap((output) => /session ID (\d+)/.exec(output)?.[1] ?? []))];
  return ids.reduce(
    (result, id, index) => result.replace(`"session_id":${id}`, `"session_id":"<session ${index}>"`),
    text,
  );
}

export function writeRecord(
  name: string,
  { files, calls, outputs }: { files: object; calls: readonly RecordedCall[]; outputs: readonly string[] },
): void {
  const entries = calls.map((call, index) => {
    const output = outputs[index] ?? '';
    // Long ones as a hash: what matters is that not a byte differs.
    const sha256 = createHash('sha256').update(output).digest('hex');
    return output.length > MAX_TEXT ? { ...call, sha256 } : { ...call, output };
  });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${name}.json`, `${JSON.stringify({ files, calls: entries }, null, 2)}\n`);
}
