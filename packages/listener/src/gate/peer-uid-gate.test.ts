import { describe, expect, it } from 'vitest';
import { judgePeerUid } from './peer-uid-gate.js';
import { findSocketOwner } from './socket-table.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (ends: string, uid: number, inode: number, state = '01') =>
  `   4: ${ends} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 2 0000000055e94197 20 0 0 10 -1\n`;
const v4 = { remoteAddress: '127.0.0.1', remotePort: 0xb782, localAddress: '127.0.0.1', localPort: 0xeca3 };
const CLIENT = '0100007F:B782 0100007F:ECA3';
const SERVER = '0100007F:ECA3 0100007F:B782';

describe('socket table', () => {
  it("finds the connecting socket's owner, not the server's own side of the connection", () => {
    const table = Buffer.from(HEAD + line(SERVER, 7, 1) + line(CLIENT, 1000, 36120));
    expect(findSocketOwner(table, v4)).toEqual({ uid: 1000, inode: 36120 });
  });

  it('finds IPv6 ends and IPv4 connections made by IPv6 sockets', () => {
    const one = '00000000000000000000000001000000';
    const mapped = '0000000000000000FFFF00000100007F';
    const six = { remoteAddress: '::1', remotePort: 1, localAddress: '::1', localPort: 2 };
    expect(findSocketOwner(Buffer.from(line(`${one}:0001 ${one}:0002`, 5, 6)), six)).toEqual({
      uid: 5,
      inode: 6,
    });
    const table = Buffer.from(line(`${mapped}:B782 ${mapped}:ECA3`, 8, 9));
    expect(findSocketOwner(table, v4)).toEqual({ uid: 8, inode: 9 });
  });

  it('does not take a socket that no process holds, which the kernel lists as uid 0, for root', () => {
    expect(findSocketOwner(Buffer.from(line(CLIENT, 0, 0, '06')), v4)).toBeUndefined();
    expect(findSocketOwner(Buffer.from(HEAD), v4)).toBeUndefined();
  });
});

describe('peer uid', () => {
  it('passes for the same uid and for root, and for nobody else', () => {
    expect(judgePeerUid({ uid: 1000, inode: 1 }, 1000)).toMatchObject({ ok: true, uid: 1000 });
    expect(judgePeerUid({ uid: 0, inode: 1 }, 1000)).toMatchObject({ ok: true, uid: 0 });
    expect(judgePeerUid({ uid: 1001, inode: 1 }, 1000)).toMatchObject({ ok: false });
    expect(judgePeerUid({ uid: 65534, inode: 1 }, 0)).toMatchObject({ ok: false });
    expect(judgePeerUid(undefined, 0)).toMatchObject({ ok: false });
  });
});
