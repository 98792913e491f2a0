import { spawn, execFileSync } from 'node:child_process';
import { McpProgram, running } from '../mcp/support/mcp-client.js';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';
const t0 = Date.now();
const say = (what: string, x: unknown) => console.log(`[${((Date.now()-t0)/1000).toFixed(1)}] ${what}:`, JSON.stringify(x)?.slice(0, 400));
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
{
  await using program = await McpProgram.start(['--sandbox', 'full-access', '--approvals', 'untrusted'], { answer: () => ({ action: 'accept', content: {} }) });
  execFileSync('mkfifo', [`${program.folder}/fifo`]);
  for (const path of ['fifo', '/dev/zero', '/dev/stdin', '/proc/self/mem'])
    say(`full-access read ${path}`, await program.call('read_file', { path, offset: 2 }, { signal: AbortSignal.timeout(5000) }).catch(String));
  say('exec', (await program.exec('echo hi \u001b[2J\nrm x')).text); say('q', program.questions);
  say('exec', (await program.exec('ls', { sandbox_permissions: 'require_escalated', justification: 'x' })).text); say('q', program.questions.at(-1));
}
{
  // 200 at once through MCP, both eras
  for (const era of ['handshake', 'stateless'] as const) {
    await using program = await McpProgram.start([], { era, answer: () => ({ action: 'accept', content: {} }) });
    const before = Date.now();
    const all = await Promise.all(Array.from({ length: 200 }, (_, i) => program.exec(`echo ${i}`, i % 4 === 0 ? { sandbox_permissions: 'require_escalated', justification: 'x' } : {}).then((r) => r.data['output']).catch((e) => String(e))));
    say(`200 ${era} ${Date.now() - before} ms wrong`, all.filter((x, i) => x !== `${i}\n`)); say('questions', program.questions.length);
  }
}
{
  // server lost
  const server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
  const program = await McpProgram.start(['--url', await server.url()]);
  const word = `64.${process.pid}`;
  await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & sleep ${word}`, { yield_time_ms: 250 });
  say('running', running(word).length);
  const pending = program.exec(`sleep ${word}`, { yield_time_ms: 30000 }).catch(String);
  await sleep(500);
  server.child?.kill?.('SIGKILL');
  const before = Date.now();
  say('pending', await pending); say('took', Date.now() - before);
  say('after', await program.exec('echo x').catch(String)); say('took', Date.now() - before);
  const ended = Date.now();
  await program[Symbol.asyncDispose](); say('dispose ms', Date.now() - ended); say('ended', await program.ended); say('running', running(word).length);
  say('stderr', program.stderr);
  await server[Symbol.asyncDispose]();
}
{
  // kill -9 of the MCP server with --url
  await using server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
  const program = await McpProgram.start(['--url', await server.url()]);
  const word = `65.${process.pid}`;
  await program.exec(`setsid sleep ${word} > /dev/null 2>&1 & sleep ${word}`, { yield_time_ms: 250 });
  program.child.kill('SIGKILL');
  const before = Date.now();
  while (running(word).length > 0 && Date.now() - before < 120_000) await sleep(200);
  say('gone after kill -9, ms', Date.now() - before); say('running', running(word).length);
}
