// An operator asks one machine to take no more sessions and to end when the last is over.

import { randomBytes } from 'node:crypto';
import type { BrokerLink } from '../broker/broker-link.js';
import { isNobodyThere } from '../channel/channel-hub.js';
import { FleetError } from '../fleet-error.js';
import { checkedName, Subjects } from '../naming/subjects.js';

const ANSWER_MS = 3000;

export function requestDrain(link: BrokerLink, environment: string, machine: string): Promise<void> {
  const subject = new Subjects(environment).drain(checkedName('the machine', machine));
  const reply = `exec.v1.${environment}.r.o.${link.key}.${randomBytes(8).toString('hex')}.drain`;
  const what = `machine ${environment}/${machine}`;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new FleetError('FLEET_LOST', `${what} ${why}`));
    const timer = setTimeout(() => fail('does not answer'), ANSWER_MS);
    const subscription = link.subscribe(reply, (message) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (isNobodyThere(message)) fail('is not in the fleet');
      else resolve();
    });
    link.publish(subject, new Uint8Array(), reply);
  });
}
