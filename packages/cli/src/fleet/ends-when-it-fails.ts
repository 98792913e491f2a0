// A command that failed ends, although the NATS library keeps the socket of a broker that never answered.

import { leaveSoon } from '../leave-soon.js';

export async function endsWhenItFails<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    leaveSoon();
    throw error;
  }
}
