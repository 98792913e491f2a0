// Our server as a machine of a fleet, behind a real broker. Every connection of the suite has its own to the broker.
import { FleetCaller, FleetSession } from '@codex/exec-fleet';
import { nodeHelper } from '@codex/exec-server-core';
import { bundleFileHelper } from '../../../scripts/bundling/bundle-file-helper.js';
import { startBroker } from '../../fleet/support/broker.js';
import { startMachine } from '../../fleet/support/machines.js';
import type { Link } from '../client/link.js';
import type { WebSocketOptions } from '../client/websocket-link.js';
import { EXPECTED_OF_FLEET } from '../expected/fleet.js';
import { ourExtensions } from './our-features.js';
import { PLANTED_ENVIRONMENT } from './planted-environment.js';
import type { Target } from './target.js';

const ENVIRONMENT = 'conformance';

export function natsTarget(): Target {
  return {
    name: 'our server, in a fleet',
    features: new Set(['shared-host', 'planted-environment', ...ourExtensions()]),
    expected: EXPECTED_OF_FLEET,
    connect: openFleetLink,
    openLink: (url) => openFleetLink(url, {}),
    async start() {
      const helper = bundleFileHelper();
      const broker = await startBroker();
      const machine = await startMachine({
        broker: broker.url,
        environment: ENVIRONMENT,
        maxSessions: 256,
        server: { env: { ...process.env, ...PLANTED_ENVIRONMENT }, fileHelper: nodeHelper(helper.file) },
      });
      return {
        url: broker.url,
        hasEnded: () => machine.failures.length > 0,
        async stop() {
          await machine.stop();
          await broker.stop();
          helper.remove();
        },
      };
    },
  };
}

async function openFleetLink(url: string, { answersPings = true }: WebSocketOptions): Promise<Link> {
  const caller = await FleetCaller.connect({ broker: url, name: 'conformance', role: 'c', budgetBytes: 0 });
  const session = new FleetSession({ caller, environment: ENVIRONMENT });
  const channel = await session.open(new AbortController().signal, null);
  channel.binary.accept();
  if (!answersPings) beDeafToPings(channel);
  return {
    start: (receiver) =>
      channel.start({
        message: (text) => receiver.text(text),
        binaryMessage: (bytes) => receiver.binary(bytes),
        drained: () => undefined,
        closed: ({ code = null, reason }) => {
          receiver.ended({ code, reason });
          void caller.close();
        },
      }),
    send: (frame) => (typeof frame === 'string' ? channel.send(frame) : channel.pass(frame, true)),
    close: () => channel.close(),
    drop: () => void caller.link.close(),
  };
}

/** A ping counts as a frame that says nothing. */
function beDeafToPings(channel: Awaited<ReturnType<FleetSession['open']>>): void {
  const take = channel.take.bind(channel);
  channel.take = (frame) => take(frame.kind === PING ? { ...frame, kind: CREDIT } : frame);
}

const CREDIT = 2;
const PING = 3;
