import { McpProgram } from '../mcp/support/mcp-client.js';
await using program = await McpProgram.start([], { answer: () => ({ action: 'accept', content: {} }) });
for (let round = 0; round < 6; round++) {
  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => program.exec(`echo ${i}`, i % 4 === 0 ? { sandbox_permissions: 'require_escalated', justification: 'x' } : {})));
  all.forEach((r, i) => { if (r.data['output'] !== `${i}\n`) console.log(round, i, JSON.stringify(r)); });
  const held = all.filter((r) => r.text.includes('holds its output')).length;
  console.log(round, 'held', held);
}
