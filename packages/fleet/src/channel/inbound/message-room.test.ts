import { describe, expect, it } from 'vitest';
import { MessageRoom, type RoomUser, UNFINISHED_MS } from './message-room.js';

const MIB = 1024 * 1024;

function user(owner = 'somebody') {
  const told: string[] = [];
  const self: RoomUser & { readonly told: string[] } = {
    owner,
    told,
    roomGiven: () => told.push('given'),
    roomTaken: () => told.push('taken'),
  };
  return self;
}

describe('the room for messages', () => {
  it('is not needed for short messages', () => {
    const room = new MessageRoom(0);
    expect(room.claim(user(), 256 * 1024, 0)).toBe(true);
  });

  it('is given for whole messages, in the order in which they were begun', () => {
    const room = new MessageRoom(100 * MIB);
    const [first, second, third] = [user('a'), user('b'), user('c')];
    expect(room.claim(first, 50 * MIB, 0)).toBe(true);
    expect(room.claim(first, 50 * MIB, 1)).toBe(true);
    expect(room.claim(second, 50 * MIB, 1)).toBe(true);
    expect(room.claim(third, 50 * MIB, 2)).toBe(false);
    expect(room.freeBytes).toBe(0);
    const fourth = user('d');
    expect(room.claim(fourth, MIB, 3)).toBe(false);
    room.claim(first, 0, 4);
    expect([third.told, fourth.told]).toEqual([['given'], []]);
    room.leave(second, 5);
    expect(fourth.told).toEqual(['given']);
    room.leave(third, 6);
    room.leave(fourth, 6);
    expect(room.freeBytes).toBe(100 * MIB);
  });

  it('is for one owner half of what there is, and others are not held up by that', () => {
    const room = new MessageRoom(100 * MIB);
    const [one, two] = [user('greedy'), user('greedy')];
    expect(room.claim(one, 40 * MIB, 0)).toBe(true);
    expect(room.claim(two, 40 * MIB, 0)).toBe(false);
    expect(room.claim(user('other'), 40 * MIB, 1)).toBe(true);
    room.leave(one, 1);
    expect(two.told).toEqual(['given']);
  });

  it('is taken from messages that do not become whole, when others have waited', () => {
    const room = new MessageRoom(100 * MIB);
    const [lazy, busy, waiting] = [user('a'), user('b'), user('c')];
    const began = 10 * UNFINISHED_MS;
    room.claim(lazy, 50 * MIB, 0);
    room.look(began);
    room.claim(waiting, 60 * MIB, began);
    room.leave(waiting, began);
    expect(lazy.told).toEqual([]);
    room.claim(waiting, 50 * MIB, began);
    expect(waiting.told).toEqual([]);
    room.claim(busy, 50 * MIB, began + 1);
    room.leave(waiting, began + 2);
    room.claim(waiting, 50 * MIB, began + 3);
    room.look(began + 3 + UNFINISHED_MS - 1);
    expect(lazy.told).toEqual([]);
    room.look(began + 3 + UNFINISHED_MS);
    expect(lazy.told).toEqual(['taken']);
  });

  it('is not taken from others when an owner waits for its own messages', () => {
    const room = new MessageRoom(100 * MIB);
    const [slow, one, two] = [user('slow'), user('greedy'), user('greedy')];
    room.claim(slow, 40 * MIB, 0);
    room.claim(one, 40 * MIB, 0);
    room.claim(two, 40 * MIB, 0);
    room.look(UNFINISHED_MS);
    expect([slow.told, one.told]).toEqual([[], ['taken']]);
    room.claim(user('third'), 40 * MIB, UNFINISHED_MS);
    room.look(2 * UNFINISHED_MS);
    expect(slow.told).toEqual(['taken']);
  });
});
