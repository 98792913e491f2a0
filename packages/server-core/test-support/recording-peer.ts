// The sending half of a peer: collects what it is told, and asks bulk sources only when a test lets it.
import { materialize } from '@codex/exec-protocol';
import type { BulkHandle, BulkProgress, BulkSource, RpcPeer } from '@codex/exec-rpc';

export class RecordingPeer {
  readonly sent: { method: string; params: Record<string, unknown> }[] = [];
  readonly sources = new Set<BulkSource>();
  wakes = 0;
  sendsBinary = false;
  /** Set for a connection that knows what its client has read. */
  progress: { sentBytes: number; readBytes: number | undefined } | undefined;

  /** For parameters that want a whole peer. */
  get asPeer(): RpcPeer {
    return this as unknown as RpcPeer;
  }

  notify(method: string, params: unknown): void {
    this.sent.push({ method, params: params as Record<string, unknown> });
  }

  addBulkSource(source: BulkSource): BulkHandle {
    this.sources.add(source);
    const progress: BulkProgress | undefined = this.progress;
    return {
      wake: () => void this.wakes++,
      remove: () => void this.sources.delete(source),
      progress,
    };
  }

  /** The client has read everything that was sent, and its connection knows it. */
  read(): void {
    if (this.progress !== undefined) this.progress.readBytes = this.progress.sentBytes;
  }

  /** Takes at most `limit` messages and returns short descriptions of them. */
  pull(limit = Number.POSITIVE_INFINITY): string[] {
    const lines: string[] = [];
    for (const source of [...this.sources]) {
      while (lines.length < limit) {
        const message = source.next();
        if (message === undefined) break;
        const text = materialize(message);
        if (this.progress !== undefined) this.progress.sentBytes += text.length;
        lines.push(describe(JSON.parse(text) as Notification));
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
