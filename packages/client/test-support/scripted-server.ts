// The other end of an in-memory connection, played by the test: for what no real server does on purpose.

import { type Channel, createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';

export interface Heard {
  readonly method: string;
  readonly params: unknown;
}

export type Answer = (params: Record<string, unknown>) => unknown;

export class ScriptedServer {
  readonly heard: Heard[] = [];
  readonly peers: RpcPeer[] = [];
  /** Answers by method; a missing one never answers. */
  readonly answers: Record<string, Answer> = {
    initialize: () => ({ sessionId: 'session', environmentInfo: this.info }),
  };
  info: Record<string, unknown> = {
    shell: { name: 'bash', path: '/bin/bash' },
    cwd: 'file:///project',
    platformOs: 'linux',
    capabilities: {},
  };
  refusing = false;

  /** For `connect({ channel })`. */
  readonly open = (): Channel => {
    if (this.refusing) throw new Error('nobody listens');
    const [client, server] = createInMemoryChannelPair();
    const peer = new RpcPeer(server, {
      onRequest: ({ method, params }) => {
        this.heard.push({ method, params });
        const answer = this.answers[method];
        return answer === undefined
          ? new Promise(() => {})
          : answer((params ?? {}) as Record<string, unknown>);
      },
      onNotification: ({ method, params }) => void this.heard.push({ method, params }),
    });
    this.peers.push(peer);
    return client;
  };

  methods(): string[] {
    return this.heard.map(({ method }) => method);
  }

  notify(method: string, params: unknown): void {
    this.peers.at(-1)?.notify(method, params);
  }

  cut(code = 1006): void {
    this.peers.at(-1)?.close(code, 'cut');
  }
}

/** In-memory channels deliver in later turns of the event loop. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
