// What a request holds stays out of the server's log, however it ends.
import { ExecServer, type Logger } from '@codex/exec-server-core';
import { expect, it, onTestFinished } from 'vitest';
import { HttpCaller, serve } from './support/http-fixture.js';

it('neither a URL nor a header nor a body reaches the log', async () => {
  const lines: string[] = [];
  const note = (message: string, fields?: object) => void lines.push(message + JSON.stringify(fields ?? {}));
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const server = new ExecServer({ env: { KEY: 'sesame' }, logger });
  onTestFinished(() => server.shutdown());
  const caller = await new HttpCaller(server).open();
  const { origin } = await serve((request, response) => {
    if (request.url?.includes('cut')) response.destroy();
    else response.end('sesame');
  });
  const headers = [{ name: 'x-key', value: 'sesame', valueEnvVar: 'KEY' }];
  await caller.request(`${origin}/ok?sesame`, { headers });
  await caller.refusal(`${origin}/cut?sesame`, { headers });
  await caller.refusal('http://sesame:sesame@127.0.0.1:1/sesame', { headers });
  await caller.refusal('http://sesame.invalid/', { headers, timeoutMs: 1 });
  await caller.refusal('ftp://sesame/', { headers });
  await caller.request(`${origin}/ok?sesame`, { requestId: 's', streamResponse: true });
  await caller.stream('s');
  expect(lines.join('\n')).not.toContain('sesame');
});
