import { invalidRequest } from '@codex/exec-protocol';
import { expect, it } from 'vitest';
import { setUp } from '../../../test-support/scripted-client.js';
import { ExecServerError } from '../../exec-server-error.js';

it('every refusal of a server is an ExecServerError', async () => {
  const { server, connect } = setUp();
  server.info = { ...server.info, capabilities: { processResize: true, processList: true } };
  server.answers['process/start'] = () => ({ processId: 'p' });
  const refuse = () => {
    throw invalidRequest('no');
  };
  for (const method of ['process/signal', 'process/terminate', 'process/resize', 'process/list', 'fs/copy']) {
    server.answers[method] = refuse;
  }
  const client = await connect();
  const process = await client.spawn(['x'], { id: 'p' });
  const asked = {
    'process/signal': () => process.interrupt(),
    'process/terminate': () => process.terminate(),
    'process/resize': () => process.resize({ rows: 1, cols: 1 }),
    'process/list': () => client.processes(),
    'fs/copy': () => client.call('fs/copy', { sourcePath: '/a', destinationPath: '/b', recursive: false }),
  };
  for (const [method, ask] of Object.entries(asked)) {
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExecServerError);
    expect(error).toMatchObject({ code: 'server.rejected', details: { method, rpcCode: -32600 } });
  }
});
