// Preloaded into the server: a handle that nothing closes, as a child process that cannot be ended would leave.
setInterval(() => {}, 1000);
