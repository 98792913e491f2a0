// The sending half of a peer: collects what it is told, and asks bulk sources only when a test lets it.
import { materialize } from '@codex/exec-protocol';
import type { BulkHandle, BulkSource, RpcPeer } from '@codex/exec-rpc';

export class RecordingPeer {
  readonly sent: { method: string; params: Record<string, unknown> }[] = [];
  readonly sources = new Set<BulkSource>();
  wakes = 0;

  /** For parameters that want a whole peer. */
  get asPeer(): RpcPeer {
    return this as unknown as RpcPeer;
  }

  notify(method: string, params: unknown): void {
    this.sent.push({ method, params: params as Record<string, unknown> });
  }

  addBulkSource(source: BulkSource): BulkHandle {
    this.sources.add(source);
    return { wake: () => void this.wakes++, remove: () => void this.sources.delete(source) };
  }

  /** Takes at most `limit` messages and returns short descriptions of them. */
  pull(limit = Number.POSITIVE_INFINITY): string[] {
    const lines: string[] = [];
    for (const source of [...this.sources]) {
      while (lines.length < limit) {
        const message = source.next();
        if (message === undefined) break;
        lines.push(describe(JSON.parse(materialize(message)) as Notification));
      }
    }
    return lines;
  }
}

interface Notification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

function describe({ method, params }: Notification): string {
  const { seq, chunk, exitCode } = params;
  const text = typeof chunk === 'string' ? Buffer.from(chunk, 'base64').toString() : exitCode;
  return [method.slice('process/'.length), seq, text].filter((part) => part !== undefined).join(' ');
}
