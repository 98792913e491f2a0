import { expect, it } from 'vitest';
import { listsPort } from './wait-for-port.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
   1: 0100007F:0050 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 2
`;

it('finds listening ports in the table of the kernel', () => {
  expect(listsPort(TABLE, 8080)).toBe(true);
  expect(listsPort(TABLE, 80)).toBe(false);
  expect(listsPort(TABLE, 54321)).toBe(false);
  expect(listsPort('', 8080)).toBe(false);
});
