// The suite against our server in a fleet, over a real broker: all of it in `npm run test:fleet`, sessions in `npm test`.
import { isFull } from '../fleet/support/full.js';
import { describeTarget } from './runner/describe-target.js';
import { natsTarget } from './targets/nats.js';

describeTarget(natsTarget(), isFull ? '' : 'session.');
