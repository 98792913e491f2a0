import type { BulkSource } from '@codex/exec-rpc';
import { describe, expect, it } from 'vitest';
import { ReplyRoom } from './reply-room.js';

const KIB = 1024;

/** Stands for the peer: asks the source, as a transport with room does, only when the test says so. */
function roomOf(capacity: number) {
  let source: BulkSource | undefined;
  let wakes = 0;
  const room = new ReplyRoom(capacity, (added) => {
    source = added;
    const wake = () => {
      wakes += 1;
    };
    return { wake, remove: () => undefined };
  });
  return { room, hasRoom: () => source?.next(), wakes: () => wakes };
}

describe('room for replies', () => {
  it('lets small replies pass', () => {
    const { room, wakes } = roomOf(64 * KIB);
    expect(room.acquire(1000)).toBeUndefined();
    expect(wakes()).toBe(0);
  });

  it('admits large ones in order, within the capacity, when the transport has room', async () => {
    const { room, hasRoom } = roomOf(100 * KIB);
    const admitted: string[] = [];
    const ask = (name: string, bytes: number) => void room.acquire(bytes)?.then(() => admitted.push(name));
    ask('a', 60 * KIB);
    ask('b', 60 * KIB);
    ask('c', 33 * KIB);
    await Promise.resolve();
    expect(admitted).toEqual([]);
    expect(hasRoom()).toBeUndefined();
    await Promise.resolve();
    expect(admitted).toEqual(['a']);
    room.release(60 * KIB);
    hasRoom();
    await Promise.resolve();
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('admits one that is larger than the capacity when it is alone', async () => {
    const { room, hasRoom } = roomOf(10);
    const admitted = room.acquire(90 * KIB);
    hasRoom();
    await expect(admitted).resolves.toBeUndefined();
  });

  it('refuses who waits when the connection ends', async () => {
    const { room } = roomOf(10);
    const waiting = room.acquire(90 * KIB);
    room.end();
    await expect(waiting).rejects.toThrow('the connection ended');
    await expect(room.acquire(90 * KIB)).rejects.toThrow('the connection ended');
  });
});
