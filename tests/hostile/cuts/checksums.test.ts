// Connections that break at random, under output and under input, with every byte compared and every command counted.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { seededRandom } from '../support/seeded-random.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';
import { resettingRelay } from './resetting-relay.js';

const COMMANDS = rounds({ short: 40, full: 1500 });
const AT_ONCE = 8;
const SILENT_MS = 300;

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a network that breaks all the time', () => {
  it(
    'loses no byte, repeats no command, and takes no input twice',
    async () => {
      const random = seededRandom();
      const told = `seed ${random.seed}`;
      const server = await ServerUnderAttack.start();
      const relay = await resettingRelay(server.url, random, SILENT_MS);
      const client = await ExecServerClient.connect(relay.url, {
        token: TOKEN,
        reconnect: { maxElapsedMs: 30_000 },
      });
      relay.storm();
      let bytes = 0;
      const journal = join(server.scratch, 'journal');

      const outputOnce = async (n: number): Promise<void> => {
        const lines = 1 + random.below(60_000);
        const tty = random.chance(0.2);
        const { stdout, output } = await client.run(`echo ${n} >> ${journal}; seq 1 ${lines}`, { tty });
        const expected = Array.from({ length: lines }, (_, index) => `${index + 1}${tty ? '\r' : ''}\n`).join(
          '',
        );
        bytes += expected.length;
        expect(sha256(tty ? output.bytes : stdout.bytes), `${told}, ${lines} lines`).toBe(sha256(expected));
      };
      const inputOnce = async (n: number): Promise<void> => {
        const process = await client.spawn(['sh', '-c', `echo ${n} >> ${journal}; exec cat`], {
          stdin: 'pipe',
        });
        const blocks = Array.from(
          { length: 30 },
          (_, index) => `${n}-${index}-${'x'.repeat(random.below(9000))}\n`,
        );
        for (const block of blocks) await process.stdin.write(block);
        await process.stdin.end();
        const { stdout } = await process.result();
        bytes += stdout.bytes.length;
        expect(sha256(stdout.bytes), told).toBe(sha256(blocks.join('')));
      };

      let next = 0;
      const worker = async (): Promise<void> => {
        for (let n = next++; n < COMMANDS; n = next++)
          await (random.chance(0.6) ? outputOnce(n) : inputOnce(n));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));

      const ran = readFileSync(journal, 'utf8').trim().split('\n').map(Number);
      expect(
        ran.sort((a, b) => a - b),
        told,
      ).toEqual(Array.from({ length: COMMANDS }, (_, n) => n));
      expect(relay.cuts.resets + relay.cuts.silences, told).toBeGreaterThan(3);
      record('cuts', { commands: COMMANDS, bytes, ...relay.cuts });
      relay.calm();
      await client.close();
      expect(server.isAlive, told).toBe(true);
    },
    patienceMs,
  );
});
