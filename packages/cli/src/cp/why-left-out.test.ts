import { expect, it } from 'vitest';
import { whyLeftOut } from './why-left-out.js';

it('has a sentence for each reason, and shows one of a newer server as it came', () => {
  expect(whyLeftOut('denied')).toBe('it may not be read');
  expect(whyLeftOut('frozen')).toBe('frozen');
  expect(whyLeftOut('toString')).toBe('toString');
  expect(whyLeftOut('\u001b[2J')).not.toContain('\u001b');
});
