// Structured log lines on stderr: stdout belongs to the protocol or to the one line with the address.
import { plainJson } from '@codex/exec-protocol';
import type { LogFields, Logger } from '@codex/exec-server-core/defaults';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface StderrLoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

export function createStderrLogger(options: StderrLoggerOptions): Logger {
  const write = options.write ?? stderrWriter();
  const now = options.now ?? (() => new Date());
  const format = options.format === 'json' ? jsonLine : textLine;
  const lowest = LOG_LEVELS.indexOf(options.level);
  const at = (level: Exclude<LogLevel, 'silent'>) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) < lowest) return;
    write(`${format({ time: now().toISOString(), level, message, fields: fields ?? {} })}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The reader of the log may be gone. That must not end the server: it would take every process with it. */
function stderrWriter(): (line: string) => void {
  process.stderr.on('error', () => undefined);
  return (line) => void process.stderr.write(line);
}

interface Entry {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

function jsonLine({ fields, ...entry }: Entry): string {
  return plainJson({ ...entry, ...fields });
}

function textLine({ time, level, message, fields }: Entry): string {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined);
  const words = pairs.map(([key, value]) => `${key}=${quoteIfNeeded(String(value))}`);
  return [time, level.toUpperCase().padEnd(5), quoteIfNeeded(message, / /), ...words].join(' ');
}

/** A value with control characters must not be able to start a line of its own. */
function quoteIfNeeded(text: string, allowed?: RegExp): string {
  const bare = allowed === undefined ? text : text.replaceAll(new RegExp(allowed, 'g'), '');
  return /^[\w.,:;/@%+()'-]*$/.test(bare) && text !== '' ? text : plainJson(text);
}
