// The texts that the real Codex CLI gave for these calls, recorded by tests/codex, against those of the profile `codex`.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { ExecServer } from '@codex/exec-server-core';
import { UnifiedExec } from '@codex/unified-exec';
import { describe, expect, it } from 'vitest';
import { outside } from './support/watched.js';

interface RecordedCall {
  readonly tool: string;
  readonly arguments: string;
  readonly output?: string;
  readonly sha256?: string;
}

interface Recorded {
  readonly files: Readonly<Record<string, string>>;
  readonly calls: readonly RecordedCall[];
}

const FOLDER = new URL('recorded/', import.meta.url);

const STARS: readonly (readonly [RegExp, string])[] = [
  [/Chunk ID: [0-9a-f]{6}/g, 'Chunk ID: *'],
  [/Wall time: \d+(\.\d+)? seconds/g, 'Wall time: * seconds'],
  [/session ID \d+/g, 'session ID *'],
  [/Unknown process id \d+/g, 'Unknown process id *'],
  [/cannot start in \S+:/g, 'cannot start in *:'],
];

const normalized = (text: string): string =>
  STARS.reduce((result, [pattern, star]) => result.replace(pattern, star), text);

describe('the recorded texts of Codex', () => {
  it.each(readdirSync(FOLDER))('%s', { timeout: 30_000 }, async (name) => {
    const { files, calls } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Recorded;
    const workspace = outside();
    const server = new ExecServer();
    try {
      for (const [path, contents] of Object.entries(files)) {
        mkdirSync(dirname(join(workspace.path, path)), { recursive: true });
        writeFileSync(join(workspace.path, path), contents);
      }
      await using client = await ExecServerClient.connect({ channel: server.connectInMemory() });
      await using tool = new UnifiedExec(client, {
        profile: 'codex',
        cwd: workspace.path,
        environmentId: 'remote',
        childEnv: { HOME: workspace.path },
      });
      const sessions: string[] = [];
      for (const call of calls) {
        const text = call.arguments.replace(
          /"<session (\d+)>"/,
          (_all, index: string) => sessions[Number(index)] ?? '',
        );
        const { text: output } = await tool.dispatch(call.tool, text);
        const session = /session ID (\d+)/.exec(output)?.[1];
        if (session !== undefined && !sessions.includes(session)) sessions.push(session);
        const seen = normalized(output).replaceAll(workspace.path, '<workspace>');
        if (call.sha256 === undefined) expect(seen, call.arguments).toBe(call.output);
        else expect(createHash('sha256').update(seen).digest('hex'), call.arguments).toBe(call.sha256);
      }
    } finally {
      await server.shutdown();
      workspace.remove();
    }
  });
});
