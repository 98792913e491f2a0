import { describe, expect, it } from 'vitest';
import { ScriptedFeed } from '../../../test-support/scripted-feed.js';
import { ProcessOutputView } from './output-view.js';

async function textOf(chunks: readonly Uint8Array[], from?: string): Promise<string[]> {
  const scripted = new ScriptedFeed();
  for (const chunk of chunks) scripted.output(chunk);
  scripted.exit(0);
  scripted.close();
  const view = new ProcessOutputView(scripted.feed, () => true);
  const pieces: string[] = [];
  for await (const piece of view.text(from === undefined ? {} : { from })) pieces.push(piece);
  return pieces;
}

describe('output as text', () => {
  const [first, second] = [Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xa9, 0x62)];

  it('never splits a character, and shows one that was never finished', async () => {
    expect(await textOf([first, second])).toEqual(['a', 'éb']);
    expect(await textOf([first])).toEqual(['a', '\uFFFD']);
  });

  it('is whole from the middle too', async () => {
    expect(await textOf([first, second], 'seq:1')).toEqual(['éb']);
  });
});
