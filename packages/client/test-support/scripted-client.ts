// A client of a scripted server, on a clock that the test moves.

import { ExecServerClient } from '../src/exec-server-client.js';
import type { ConnectOptions } from '../src/session/connect-options.js';
import { ManualClock } from './manual-clock.js';
import { ScriptedServer } from './scripted-server.js';

export interface ScriptedSetUp {
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  connect(options?: ConnectOptions): Promise<ExecServerClient>;
}

export function setUp(): ScriptedSetUp {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  return {
    server,
    clock,
    connect: (options = {}) => ExecServerClient.connect({ channel: server.open }, { clock, ...options }),
  };
}
