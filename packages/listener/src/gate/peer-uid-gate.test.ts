import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgePeerUid } from './peer-uid-gate.js';
import { addressForms, type ConnectionEnds, findSockets, type SocketOwner } from './socket-table.js';
import { searchOfTable } from './socket-table-search.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (ends: string, uid: number, inode: number, state = '01') =>
  `   4: ${ends} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 2 0000000055e94197 20 0 0 10 -1\n`;
const v4 = { remoteAddress: '127.0.0.1', remotePort: 0xb782, localAddress: '127.0.0.1', localPort: 0xeca3 };
const CLIENT = '0100007F:B782 0100007F:ECA3';
const SERVER = '0100007F:ECA3 0100007F:B782';

function findSocketOwner(table: string, connection: ConnectionEnds): SocketOwner | undefined {
  const forms = addressForms(connection);
  let found: SocketOwner | undefined;
  findSockets(
    table,
    (ends) => forms.includes(ends),
    (_ends, owner) => {
      found = owner;
    },
  );
  return found;
}

describe('socket table', () => {
  it("finds the connecting socket's owner, not the server's own side of the connection", () => {
    const table = HEAD + line(SERVER, 7, 1) + line(CLIENT, 1000, 36120);
    expect(findSocketOwner(table, v4)).toEqual({ uid: 1000, inode: 36120 });
  });

  it('finds IPv6 ends and IPv4 connections made by IPv6 sockets', () => {
    const one = '00000000000000000000000001000000';
    const mapped = '0000000000000000FFFF00000100007F';
    const six = { remoteAddress: '::1', remotePort: 1, localAddress: '::1', localPort: 2 };
    expect(findSocketOwner(line(`${one}:0001 ${one}:0002`, 5, 6), six)).toEqual({
      uid: 5,
      inode: 6,
    });
    const table = line(`${mapped}:B782 ${mapped}:ECA3`, 8, 9);
    expect(findSocketOwner(table, v4)).toEqual({ uid: 8, inode: 9 });
  });

  it('does not take a socket that no process holds, which the kernel lists as uid 0, for root', () => {
    expect(findSocketOwner(line(CLIENT, 0, 0, '06'), v4)).toBeUndefined();
    expect(findSocketOwner(HEAD, v4)).toBeUndefined();
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

const socketLine = (port: number): string => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return `   4: 0100007F:${hex} 0100007F:ECA3 01 00000000:00000000 00:00000000 00000000  1000        0 ${port} 2 0 20 0 0 10 -1\n`;
};
const endsOf = (port: number): string => socketLine(port).slice(6, 33);

function tableOf(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'socket-table-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tcp');
  const lines = Array.from({ length: count }, (_, index) => socketLine(index + 1));
  writeFileSync(path, `  sl  local_address rem_address\n${lines.join('')}`);
  return path;
}

describe('search of a socket table', () => {
  it('finds each of many connections, wherever the table is cut into pieces', async () => {
    const table = searchOfTable(tableOf(2000));
    const found = await Promise.all(
      Array.from({ length: 2000 }, (_, index) => table.find(endsOf(index + 1))),
    );
    expect(found).toEqual(Array.from({ length: 2000 }, (_, index) => ({ uid: 1000, inode: index + 1 })));
  });

  it('finds nothing where nothing is, and fails where there is no table', async () => {
    expect(await searchOfTable(tableOf(3)).find(endsOf(4))).toBeUndefined();
    await expect(searchOfTable('/nowhere/tcp').find(endsOf(4))).rejects.toThrow('ENOENT');
  });
});
