// Preloaded into a program under test: its wall clock can be set while it runs, as an administrator or a time server does.
const hour = 3_600_000;
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
process.on('SIGUSR2', () => {
  offset += hour;
});
process.on('SIGPWR', () => {
  offset -= hour;
});
