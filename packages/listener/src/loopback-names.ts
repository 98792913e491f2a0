// `localhost`, and every name below it, means both loopback addresses, and most programs try ::1 first. Whoever listens there on
// the port of a server on 127.0.0.1 (a sandboxed command with the network, another user of the machine) would be sent what is meant
// for the server: tokens of its clients, and with them the page of its console and the tickets. So a listener
// on one of the two listens on the other as well.

import { type AddressInfo, createServer, isIP, type Server as NetServer, type Socket } from 'node:net';
import { isLoopbackAddress, plainAddress } from './gate/loopback.js';

export interface Place {
  /** IP literal or `localhost`. */
  readonly host: string;
  /** 0 takes one that is free on both. */
  readonly port: number;
}

export interface Listening {
  /** `localhost` leads to this server and to no other. */
  readonly namesLeadHere: boolean;
  close(): Promise<void>;
}

const V4 = '127.0.0.1';
const V6 = '::1';
const MOST_ATTEMPTS = 20;
/** This machine has no such address, so nobody can listen there. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'EPROTONOSUPPORT']);

/** Rejects with the system's error when `host` itself cannot be had. Where only the other address cannot, the result says so. */
export async function listenByName(server: NetServer, { host, port }: Place): Promise<Listening> {
  const address = host === 'localhost' ? V4 : host;
  const other = otherLoopback(address);
  if (other === undefined) {
    await listen(server, address, port);
    return { namesLeadHere: address === '::', close: () => Promise.resolve() };
  }
  if (port !== 0) {
    await listen(server, address, port);
    return listeningWith(await openTwin(server, other, port));
  }
  for (let attempt = 1; ; attempt++) {
    const twin = await openTwin(server, other, 0);
    try {
      await listen(server, address, twin.server === undefined ? 0 : portOf(twin.server));
      return listeningWith(twin);
    } catch (error) {
      await closeTwin(twin);
      if (Reflect.get(Object(error), 'code') !== 'EADDRINUSE' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

function otherLoopback(host: string): string | undefined {
  const plain = plainAddress(host);
  if (plain === V4 || plain === '0.0.0.0') return V6;
  return isIP(plain) === 6 && isLoopbackAddress(plain) ? V4 : undefined;
}

interface Twin {
  readonly server?: NetServer;
  readonly isTaken: boolean;
}

/** Its connections are those of `server`. */
async function openTwin(server: NetServer, host: string, port: number): Promise<Twin> {
  const twin = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
    server.emit('connection', socket);
  });
  try {
    await listen(twin, host, port);
  } catch (error) {
    return { isTaken: !NO_SUCH_ADDRESS.has(String(Reflect.get(Object(error), 'code'))) };
  }
  twin.on('error', (error) => server.emit('error', error));
  return { server: twin, isTaken: false };
}

function listeningWith(twin: Twin): Listening {
  return { namesLeadHere: !twin.isTaken, close: () => closeTwin(twin) };
}

function closeTwin({ server }: Twin): Promise<void> {
  return new Promise((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
}

function listen(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(error);
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function portOf(server: NetServer): number {
  return (server.address() as AddressInfo).port;
}
