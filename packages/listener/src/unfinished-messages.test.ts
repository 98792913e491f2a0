import { afterEach, describe, expect, it } from 'vitest';
import { type TalkingChannel, UnfinishedMessages } from './unfinished-messages.js';

interface Talker extends TalkingChannel {
  ended: boolean;
}

const watched: [UnfinishedMessages, Talker][] = [];
afterEach(() => {
  for (const [messages, talker] of watched.splice(0)) messages.forget(talker);
});

function setUp(most: number, said: readonly (readonly [owner: string, bytes: number])[]): string[] {
  const messages = new UnfinishedMessages(most);
  const talkers = said.map(([owner, bytes]) => {
    const talker: Talker = {
      unfinishedBytes: bytes,
      ended: false,
      terminate() {
        this.ended = true;
      },
    };
    messages.watch(talker, owner);
    watched.push([messages, talker]);
    return { owner, bytes, talker };
  });
  messages.look();
  return talkers.filter(({ talker }) => talker.ended).map(({ owner, bytes }) => `${owner} ${bytes}`);
}

describe('messages that are not whole', () => {
  it('may be there up to the limit', () => {
    expect(
      setUp(100, [
        ['a', 60],
        ['b', 40],
        ['b', 0],
      ]),
    ).toEqual([]);
  });

  it('end with the longest of whoever has most of them', () => {
    expect(
      setUp(100, [
        ['a', 50],
        ['b', 30],
        ['b', 31],
        ['c', 5],
      ]),
    ).toEqual(['b 31']);
  });

  it('end until the rest fits', () => {
    const crowd = Array.from({ length: 20 }, () => ['crowd', 10] as const);
    expect(setUp(100, [['honest', 30], ...crowd])).toHaveLength(13);
    expect(setUp(100, [['honest', 30], ...crowd])).not.toContain('honest 30');
  });
});
