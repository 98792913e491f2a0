// The page's connection: opens it with the kept ticket, tells the world what comes, opens it again after a cut.

import type { ApprovalsChangedNotification, Grant, JournalEventsNotification } from '@codex/exec-protocol';
import { signal } from '@preact/signals';
import { Api } from '../wire/api.js';
import { CallError, RpcSocket } from '../wire/rpc-socket.js';
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
  /** What the server said when it let this page in no further. */
  readonly trouble = signal('');
  readonly #world: World;
  readonly #watches = new Map<string, WatchListener>();
  #nextWatch = 1;

  constructor(world: World) {
    this.#world = world;
  }

  may(grant: Grant): boolean {
    return this.grants.value.has(grant);
  }

  /** The same, and there is a server to ask for it. */
  can(grant: Grant): boolean {
    return this.may(grant) && this.api.value !== undefined;
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
        if (this.#world.lastEventSeq === 0) continue;
        // It may be one of another server, which has nothing to do with what this page knows.
        location.reload();
        return;
      }
      const socket = await RpcSocket.open(socketAddress(), ticket).catch(() => undefined);
      if (socket !== undefined) {
        attempt = (await this.#serve(socket)) ? 0 : attempt;
        hasAsked = false;
      } else if (await isServerThere()) {
        // It does not take the ticket.
        keepTicket(undefined);
        continue;
      }
      this.api.value = undefined;
      this.state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]));
    }
    keepTicket(undefined);
    this.api.value = undefined;
    this.state.value = 'noTicket';
  }

  /** Until the connection ends; false where it ended before there was anything to show. */
  async #serve(socket: RpcSocket): Promise<boolean> {
    socket.onNotification = (method, params) => this.#dispatch(method, params);
    const api = new Api(socket);
    try {
      await this.#begin(api);
    } catch (error) {
      // It was cut while it began, or the server has no room for one more that watches.
      if (error instanceof CallError && !error.isGone) this.trouble.value = error.message;
      socket.close();
      return false;
    }
    this.trouble.value = '';
    this.api.value = api;
    this.state.value = 'open';
    await socket.closed;
    return true;
  }

  async #begin(api: Api): Promise<void> {
    const { grants = [], reconnectToken } = await api.initialize();
    keepTicket(reconnectToken ?? undefined);
    this.grants.value = new Set(grants);
    const sinceSeq = this.#world.lastEventSeq;
    await api.subscribe(sinceSeq);
    const [{ sessions }, { processes }] = await Promise.all([api.sessions(), api.processes()]);
    this.#world.takeSnapshot(sessions, processes, { nowMs: Date.now(), sinceSeq });
    if (this.may('approve')) this.#world.takeApprovals((await api.approvals()).approvals);
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

/** Also one that took the place of ours, and does not know the name of its run; a proxy in front of none is no server. */
async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/console/', { method: 'HEAD', cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}
