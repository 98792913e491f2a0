// The page's connection: opens it with the kept ticket, tells the world what comes, opens it again after a cut.

import type { ApprovalsChangedNotification, Grant, JournalEventsNotification } from '@codex/exec-protocol';
import { signal } from '@preact/signals';
import { Api } from '../wire/api.js';
import { RpcSocket } from '../wire/rpc-socket.js';
import { askOtherTabs } from '../wire/tab-sharing.js';
import { keepTicket, keptTicket } from '../wire/ticket-keeper.js';
import type { World } from './world.js';

export type LinkState = 'connecting' | 'open' | 'lost' | 'noTicket';

type WatchListener = (method: string, params: unknown) => void;

const RETRY_MS = [250, 500, 1000, 2000, 4000];

export class Link {
  readonly state = signal<LinkState>('connecting');
  readonly grants = signal<ReadonlySet<Grant>>(new Set());
  /** The connection, while there is one. */
  readonly api = signal<Api | undefined>(undefined);
  readonly #world: World;
  readonly #watches = new Map<string, WatchListener>();
  #nextWatch = 1;

  constructor(world: World) {
    this.#world = world;
  }

  may(grant: Grant): boolean {
    return this.grants.value.has(grant);
  }

  /** Messages of one watch go to its listener; the name is new for every connection. */
  addWatch(listener: WatchListener): string {
    const name = `w${this.#nextWatch++}`;
    this.#watches.set(name, listener);
    return name;
  }

  removeWatch(name: string): void {
    this.#watches.delete(name);
  }

  /** Runs for as long as the page does, or until a new ticket is needed. */
  async run(): Promise<void> {
    this.state.value = 'connecting';
    let hasAsked = false;
    for (let attempt = 0; ; attempt++) {
      const ticket = keptTicket();
      if (ticket === undefined) {
        // Another tab may be open; it is asked once.
        const shared = hasAsked ? undefined : await askOtherTabs();
        hasAsked = true;
        if (shared === undefined) break;
        keepTicket(shared);
        continue;
      }
      try {
        const socket = await RpcSocket.open(socketAddress(), ticket);
        await this.#serve(socket);
        attempt = 0;
        hasAsked = false;
      } catch {
        // Either the server is not there, or it does not take the ticket: a plain request tells which.
        if (await isServerThere()) {
          keepTicket(undefined);
          continue;
        }
      }
      this.api.value = undefined;
      this.state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]));
    }
    keepTicket(undefined);
    this.api.value = undefined;
    this.state.value = 'noTicket';
  }

  async #serve(socket: RpcSocket): Promise<void> {
    socket.onNotification = (method, params) => this.#dispatch(method, params);
    const api = new Api(socket);
    const { grants = [], reconnectToken } = await api.initialize();
    keepTicket(reconnectToken ?? undefined);
    this.grants.value = new Set(grants);
    await api.subscribe(this.#world.lastEventSeq);
    const [{ sessions }, { processes }] = await Promise.all([api.sessions(), api.processes()]);
    this.#world.takeSnapshot(sessions, processes, Date.now());
    if (this.may('approve'))
      for (const one of (await api.approvals()).approvals) this.#world.takeApproval(one);
    this.api.value = api;
    this.state.value = 'open';
    await socket.closed;
  }

  #dispatch(method: string, params: unknown): void {
    if (method === 'journal/events') {
      const { events, omitted } = params as JournalEventsNotification;
      this.#world.takeEvents(events, omitted ? omitted.toSeq - omitted.fromSeq + 1 : 0);
    } else if (method === 'approvals/changed') {
      this.#world.takeApproval((params as ApprovalsChangedNotification).approval);
    } else if (method.startsWith('observe/')) {
      const { watch } = params as { readonly watch: string };
      this.#watches.get(watch)?.(method, params);
    }
  }
}

function socketAddress(): string {
  return `${location.origin.replace(/^http/, 'ws')}/console/ws`;
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/console/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
