import { describe, expect, it } from 'vitest';
import { TicketOffice } from './ticket-office.js';

const HOLDER = { identity: 'local:1000', grants: ['observe', 'stop'] as const };
const ORIGIN = 'http://x1.localhost:1';

function office(maxTickets = 3) {
  const clock = { now: 1000 };
  return { clock, tickets: new TicketOffice({ maxTickets, now: () => clock.now }) };
}

describe('a ticket', () => {
  it('opens once, as whoever asked for it', () => {
    const { tickets } = office();
    const { ticket, expiresAtMs } = tickets.issue({ ...HOLDER, ttlMs: 60 });
    expect(expiresAtMs).toBe(1060);
    expect(ticket).toMatch(/^[\w-]{43}$/);
    expect(tickets.redeem(ticket, ORIGIN)).toEqual(HOLDER);
    expect(tickets.redeem(ticket, ORIGIN)).toBeUndefined();
  });
  it('is never good for starting a command', () => {
    const { tickets } = office();
    const { ticket } = tickets.issue({ identity: 'a', grants: ['own', 'observe'], ttlMs: 60 });
    expect(tickets.redeem(ticket, ORIGIN)).toEqual({ identity: 'a', grants: ['observe'] });
  });
  it('ends with its time', () => {
    const { tickets, clock } = office();
    const { ticket } = tickets.issue({ ...HOLDER, ttlMs: 60 });
    clock.now += 60;
    expect(tickets.redeem(ticket, ORIGIN)).toBeUndefined();
  });
  it('of a page is of its origin alone, and spent by another', () => {
    const { tickets } = office();
    const { ticket } = tickets.issue({ ...HOLDER, ttlMs: 60, origin: ORIGIN });
    expect(tickets.redeem(ticket, 'http://127.0.0.1:2')).toBeUndefined();
    expect(tickets.redeem(ticket, ORIGIN)).toBeUndefined();
  });
  it('gives way to newer ones of the same identity before those of others', () => {
    const { tickets } = office(3);
    const other = tickets.issue({ ...HOLDER, identity: 'jwt:quiet', ttlMs: 60 }).ticket;
    for (let index = 0; index < 10; index++) tickets.issue({ ...HOLDER, ttlMs: 60 });
    expect(tickets.redeem(other, ORIGIN)?.identity).toBe('jwt:quiet');
  });
  it('gives way to newer ones', () => {
    const { tickets } = office(2);
    const issued = [1, 2, 3].map(() => tickets.issue({ ...HOLDER, ttlMs: 60 }).ticket);
    expect(issued.map((ticket) => tickets.redeem(ticket, ORIGIN) !== undefined)).toEqual([false, true, true]);
  });
});
