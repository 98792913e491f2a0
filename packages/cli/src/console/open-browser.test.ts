import { describe, expect, it } from 'vitest';
import { browserOpener, redirectPage } from './open-browser.js';

describe('the browser', () => {
  it('is opened where there is a desktop', () => {
    expect(browserOpener('darwin', {})).toBe('open');
    expect(browserOpener('linux', { DISPLAY: ':0' })).toBe('xdg-open');
    expect(browserOpener('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe('xdg-open');
    expect(browserOpener('linux', { DISPLAY: '' })).toBeUndefined();
  });
  it('is led to the address, whatever it holds', () => {
    expect(redirectPage('http://x.localhost:1/console/#a"<b>&c')).toContain(
      'content="0;url=http://x.localhost:1/console/#a&quot;&lt;b>&amp;c"',
    );
  });
});
