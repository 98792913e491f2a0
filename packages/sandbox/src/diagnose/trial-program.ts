// What a command tries under a policy: a program for `node -e`, which tells for each step whether it worked.

export type Step =
  | { readonly read: string }
  | { readonly write: string }
  | { readonly connect: { readonly path: string } | { readonly port: number; readonly host: string } }
  /** A server of its own, and a client of it. */
  | { readonly serve: true };

/** Prints one JSON object: step to `done` or `refused`. */
export const trialProgram = `
const fs = require('fs');
const net = require('net');
const connect = (at) => new Promise((resolve, reject) => {
  const socket = net.connect(at, () => { socket.destroy(); resolve(); });
  socket.once('error', reject);
});
const serve = () => new Promise((resolve, reject) => {
  const server = net.createServer((socket) => socket.destroy()).once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    connect({ port: server.address().port, host: '127.0.0.1' }).then(resolve, reject).finally(() => server.close());
  });
});
const act = async (step) => {
  if (step.read) fs.readFileSync(step.read);
  else if (step.write) fs.writeFileSync(step.write, 'x');
  else if (step.connect) await connect(step.connect);
  else await serve();
};
(async () => {
  const outcome = {};
  for (const [name, step] of Object.entries(JSON.parse(process.argv[1])))
    outcome[name] = await act(step).then(() => 'done', () => 'refused');
  console.log(JSON.stringify(outcome));
})();
`;
