import { describe, expect, it } from 'vitest';
import { serviceAnswer } from './service-answers.js';

const source = {
  openSubject: 'exec.v1.gpu.open.*.*',
  counts: () => ({ opened: 5, refused: 2 }),
  describe: () => ({
    v: 1,
    environment: 'gpu',
    executor: 'x7',
    boot: 'b00',
    startedAt: 1000,
    state: 'serving' as const,
    sessions: 3,
    maxSessions: 8,
    channels: 4,
    version: '0.1.0',
    host: 'vm',
  }),
};

describe('a machine as a service', () => {
  it.each(['$SRV.PING', '$SRV.PING.exec-server', '$SRV.PING.exec-server.x7-b00'])('answers %s', (subject) => {
    expect(serviceAnswer({ subject }, source)).toEqual({
      type: 'io.nats.micro.v1.ping_response',
      name: 'exec-server',
      id: 'x7-b00',
      version: '0.1.0',
      metadata: {
        environment: 'gpu',
        executor: 'x7',
        host: 'vm',
        state: 'serving',
        time: expect.stringMatching(/^20.*Z$/) as string,
      },
    });
  });

  it.each([
    '$SRV.PING.other',
    '$SRV.PING.exec-server.x8-b00',
    '$SRV.PING.exec-server.x7-b00.more',
    '$SRV.NEW',
  ])('does not answer %s', (subject) => expect(serviceAnswer({ subject }, source)).toBeUndefined());

  it('tells what it has done', () => {
    expect(serviceAnswer({ subject: '$SRV.STATS' }, source)).toMatchObject({
      type: 'io.nats.micro.v1.stats_response',
      started: '1970-01-01T00:00:01.000Z',
      endpoints: [
        { name: 'open', num_requests: 7, num_errors: 2, data: { sessions: 3, maxSessions: 8, channels: 4 } },
      ],
    });
    expect(serviceAnswer({ subject: '$SRV.INFO' }, source)).toMatchObject({
      endpoints: [{ subject: 'exec.v1.gpu.open.*.*', queue_group: 'exec' }],
    });
  });
});
