// What codex 0.166.0 does otherwise. Each entry is a difference that docs/differences.md describes.
import type { ExpectedDifference } from './expected-difference.js';

export const EXPECTED_OF_CODEX: readonly ExpectedDifference[] = [
  { id: 'session.notification.unknown', reason: 'drops the connection without a word' },
  { id: 'session.notification.request-method', reason: 'drops the connection without a word' },
  { id: 'session.response.stray', reason: 'drops the connection without a word' },
  {
    id: 'session.takeover.silent-holder',
    reason: 'never checks whether the holder lives: -32010 for as long as its socket is open',
  },
  {
    id: 'session.detach.plain-ends',
    reason: 'every session detaches for 30 s, also one whose client cannot come back',
  },
  { id: 'transport.upgrade.foreign-host', reason: 'does not look at the Host header' },
  { id: 'transport.frame.bad-utf8', reason: 'drops the connection without a close frame' },
  {
    id: 'transport.frame.oversize',
    reason: 'drops the connection without a close frame, and at 16 MiB for a single frame',
  },
  { id: 'transport.frame.oversize-announced', reason: 'drops the connection without a close frame' },
  { id: 'transport.frame.oversize-fragments', reason: 'drops the connection without a close frame' },
];
