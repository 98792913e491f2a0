// What a server leaves for others to read: an audit log, recordings and metrics. All are off unless asked for.
import type { ListenerOptions } from '@codex/exec-listener';
import { CodedError } from '@codex/exec-protocol';
import type {
  AuditLog,
  ExecServer,
  ExecServerOptions,
  Recorder,
  ServerMetrics,
} from '@codex/exec-server-core';
import { DEFAULT_OBSERVE_LIMITS, type Logger, silentLogger } from '@codex/exec-server-core/defaults';

export interface RecordOptions
  extends Pick<ListenerOptions, 'auth' | 'tls' | 'insecurePlaintext' | 'allowHosts'> {
  readonly auditLog?: string;
  readonly record?: string;
  readonly server?: Pick<ExecServerOptions, 'observe'>;
  readonly metricsListen?: string;
  onMetrics?(url: string): void;
  readonly logger?: Logger;
}

export interface ServerRecords {
  readonly serverOptions: Pick<ExecServerOptions, 'metrics'>;
  follow(server: ExecServer): void;
  close(): Promise<void>;
}

export class RecordFlagError extends CodedError<'RECORD_FLAGS_INVALID'> {
  constructor(message: string, cause?: unknown) {
    super('RECORD_FLAGS_INVALID', message, cause === undefined ? {} : { cause });
  }
}

/** Rejects where a record that was asked for cannot be kept: nothing is served unrecorded then. */
export async function openRecords(options: RecordOptions): Promise<ServerRecords> {
  const audit = await openAuditLog(options);
  const recorder = await openRecorder(options);
  const metrics = await openMetrics(options);
  return {
    serverOptions: metrics === undefined ? {} : { metrics: metrics.metrics },
    follow: (server) => {
      audit?.follow(server.journal);
      recorder?.follow(server);
    },
    close: async () => {
      await metrics?.close();
      await recorder?.close();
      await audit?.close();
    },
  };
}

async function openAuditLog({
  auditLog: path,
  logger = silentLogger,
}: RecordOptions): Promise<AuditLog | undefined> {
  if (path === undefined) return undefined;
  const { AuditLog: Log } = await import('@codex/exec-server-core');
  try {
    return await Log.open({ path, logger });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordFlagError(`\`--audit-log\`: ${why}`, error);
  }
}

async function openRecorder(options: RecordOptions): Promise<Recorder | undefined> {
  const { record: folder, server, logger = silentLogger } = options;
  if (folder === undefined) return undefined;
  const [{ Recorder: OutputRecorder }, { systemClock }] = await Promise.all([
    import('@codex/exec-server-core'),
    import('@codex/exec-rpc'),
  ]);
  const { recordedBytes, recordedBytesPerProcess } = { ...DEFAULT_OBSERVE_LIMITS, ...server?.observe };
  try {
    return await OutputRecorder.open({
      folder,
      recordedBytes,
      recordedBytesPerProcess,
      logger,
      clock: systemClock,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordFlagError(`\`--record\`: ${why}`, error);
  }
}

async function openMetrics(
  options: RecordOptions,
): Promise<{ metrics: ServerMetrics; close(): Promise<void> } | undefined> {
  const { metricsListen, auth, tls, insecurePlaintext, allowHosts, logger = silentLogger } = options;
  if (metricsListen === undefined) return undefined;
  const [{ ServerMetrics: Metrics }, { PageListener }] = await Promise.all([
    import('@codex/exec-server-core'),
    import('@codex/exec-listener'),
  ]);
  const metrics = new Metrics();
  const listener = await PageListener.listen({
    ...metricsAddress(metricsListen),
    path: '/metrics',
    page: () => metrics.render(),
    onRefused: (refusal) => logger.warn('request for metrics refused', { ...refusal }),
    ...(auth === undefined ? {} : { auth }),
    ...(tls === undefined ? {} : { tls }),
    ...(insecurePlaintext === undefined ? {} : { insecurePlaintext }),
    ...(allowHosts === undefined ? {} : { allowHosts }),
  });
  logger.info('metrics are served', { url: listener.url });
  options.onMetrics?.(listener.url);
  return { metrics, close: () => listener.close() };
}

export function metricsAddress(text: string): { host: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.pathname === '/';
  if (!isPlain || url.port === '') {
    throw new RecordFlagError('`--metrics-listen` is http://IP:PORT; the page is /metrics');
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}
