export { ManualClock, settle } from '../../files/test-support/manual-clock.js';
