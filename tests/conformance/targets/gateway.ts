// Our built program as a machine of a fleet, behind the built gateway: what an unmodified websocket client meets.
import { startBroker } from '../../fleet/support/broker.js';
import { startProgram } from '../../fleet/support/programs.js';
import { EXPECTED_OF_GATEWAY } from '../expected/fleet.js';
import { ourExtensions } from './our-features.js';
import { PLANTED_ENVIRONMENT } from './planted-environment.js';
import type { Target } from './target.js';

const ENVIRONMENT = 'conformance';

export function gatewayTarget(): Target {
  return {
    name: 'our program, behind a gateway',
    features: new Set(['shared-host', 'planted-environment', ...ourExtensions()]),
    expected: EXPECTED_OF_GATEWAY,
    async start() {
      const broker = await startBroker();
      const fleet = ['--fleet', broker.url, '--environment', ENVIRONMENT];
      const machine = await startProgram([...fleet, '--name', 'x1'], PLANTED_ENVIRONMENT);
      const gateway = await startProgram(['gateway', ...fleet, '--listen', 'ws://127.0.0.1:0']);
      let hasEnded = false;
      void Promise.race([machine.exited, gateway.exited]).then(() => {
        hasEnded = true;
      });
      return {
        url: gateway.line,
        hasEnded: () => hasEnded,
        async stop() {
          await gateway.stop();
          await machine.stop();
          await broker.stop();
        },
      };
    },
  };
}
