// The suite through a gateway, with the machine, the broker and the gateway as programs of their own: all of it in
// `npm run test:fleet`, envelopes in `npm test`.
import { isFull } from '../fleet/support/full.js';
import { describeTarget } from './runner/describe-target.js';
import { gatewayTarget } from './targets/gateway.js';

describeTarget(gatewayTarget(), isFull ? '' : 'envelope.');
