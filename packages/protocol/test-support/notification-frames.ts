// Notifications of the shapes that a server sends to the owner of a session.

export const NOTIFICATIONS: [method: string, params: unknown][] = [
  ['process/output', { processId: 'p', seq: 1, stream: 'pty', chunk: 'YQ==' }],
  ['process/exited', { processId: 'p', seq: 2, exitCode: -1, sandboxDenied: null }],
  ['process/closed', { processId: 'p', seq: 3 }],
  ['process/started', { processId: 'p', pid: 4 }],
  ['process/failed', { processId: 'p', message: 'lost' }],
  ['fs/changed', { watchId: 'w', changes: [{ path: '/d/f', kind: 'created' }], overflow: true }],
  ['fs/missingChanged', { watchId: 1 }],
  ['http/request/bodyDelta', { requestId: 'http-1', seq: 1, deltaBase64: '', done: true, error: null }],
];
