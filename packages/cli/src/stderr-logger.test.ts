import { describe, expect, it } from 'vitest';
import { createStderrLogger, type LogFormat, type LogLevel } from './stderr-logger.js';

function record(level: LogLevel, format: LogFormat) {
  const lines: string[] = [];
  const now = () => new Date('2026-01-02T03:04:05Z');
  const logger = createStderrLogger({ level, format, now, write: (line) => lines.push(line) });
  return { logger, lines };
}

describe('createStderrLogger', () => {
  it('writes text lines that people and grep can read', () => {
    const { logger, lines } = record('info', 'text');
    logger.info('listening on', { url: 'ws://127.0.0.1:1', connections: 0, missing: undefined });
    expect(lines).toEqual([
      '2026-01-02T03:04:05.000Z INFO  listening on url=ws://127.0.0.1:1 connections=0\n',
    ]);
  });

  it('writes json lines', () => {
    const { logger, lines } = record('debug', 'json');
    logger.debug('hello', { n: 1 });
    expect(JSON.parse(lines.join(''))).toEqual({
      time: '2026-01-02T03:04:05.000Z',
      level: 'debug',
      message: 'hello',
      n: 1,
    });
  });

  it('leaves out what is below its level', () => {
    const { logger, lines } = record('warn', 'text');
    logger.info('no');
    logger.debug('no');
    logger.warn('yes');
    expect(lines).toHaveLength(1);
  });

  it('says nothing when silent', () => {
    const { logger, lines } = record('silent', 'text');
    logger.error('no');
    expect(lines).toEqual([]);
  });

  it('keeps a hostile value on its own line', () => {
    const { logger, lines } = record('info', 'text');
    logger.info('peer said', { text: 'a\n2026 ERROR forged' });
    expect(lines.join('').split('\n')).toHaveLength(2);
  });
});
