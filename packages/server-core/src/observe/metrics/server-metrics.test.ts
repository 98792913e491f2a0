import { expect, it } from 'vitest';
import { Journal } from '../../journal/journal.js';
import { ServerMetrics } from './server-metrics.js';

it('counts under closed sets of labels, in the text format of Prometheus', () => {
  let now = 0;
  const metrics = new ServerMetrics(() => now);
  const journal = new Journal({ maxEvents: 10, maxBytes: 10_000 });
  metrics.attach(journal, { sessions: () => 2, processes: () => 3 });
  const disconnected = metrics.connected('websocket');
  metrics.connected('websocket');
  disconnected();
  const end = metrics.begin({ method: 'process/start' });
  now = 40;
  end('success');
  metrics.begin({ method: 'evil"\n' })('error');
  journal.record({
    kind: 'processExited',
    session: 's',
    processId: 'p',
    exitCode: 1,
    durationMs: 2000,
    sandboxDenied: true,
  });
  const lines = metrics.render().split('\n');
  expect(lines).toContain('exec_server_connections_active{transport="websocket"} 1');
  expect(lines).toContain('exec_server_connections_total{transport="websocket",result="accepted"} 2');
  expect(lines).toContain('exec_server_requests_total{method="process/start",result="success"} 1');
  expect(lines).toContain('exec_server_requests_total{method="unknown",result="error"} 1');
  const bucket = 'exec_server_request_duration_seconds_bucket{method="process/start",result="success"';
  expect(lines).toContain(`${bucket},le="0.025"} 0`);
  expect(lines).toContain(`${bucket},le="0.1"} 1`);
  expect(lines).toContain(`${bucket},le="+Inf"} 1`);
  expect(lines).toContain('exec_server_sessions_active 2');
  expect(lines).toContain('exec_server_processes_active 3');
  expect(lines).toContain('exec_server_processes_finished_total{result="error"} 1');
  expect(lines).toContain('exec_server_process_duration_seconds_sum{result="error"} 2');
  expect(lines).toContain('exec_server_sandbox_denials_total 1');
  // Every line is a comment or a sample.
  for (const line of lines.filter((one) => one !== ''))
    expect(line).toMatch(/^(# (HELP|TYPE) |[a-z_]+(\{[^}]*\})? [\d.e+-]+$)/);
});
