import { defineConfig } from 'vitest/config';

// Tests run on the sources of every workspace package: nothing has to be built first.
const conditions = ['@codex/source', 'node', 'import', 'module', 'default'];
const fromSource = { resolve: { conditions }, ssr: { resolve: { conditions } } };

/**
 * How long a test waits for what has to come. It is no statement about speed: a busy machine that others use needs seconds for what
 * takes milliseconds here.
 */
const patient = { expect: { poll: { timeout: 20_000 } } };

/** Files that replace a module (`vi.mock`); a rule of the linter keeps that to them. */
const MOCKED = 'packages/*/src/**/*.mocked.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        ...fromSource,
        test: {
          ...patient,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/node_modules/**', MOCKED],
          // They load each module once for all files, which is most of their time; so a test puts back what it replaces.
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
          // They wait for nothing; linters and compilers run beside them on the same two cores.
          testTimeout: 30_000,
        },
      },
      {
        // Their modules are loaded with replaced ones below them, which no other file may get.
        ...fromSource,
        test: {
          ...patient,
          name: 'unit-mocked',
          include: [MOCKED],
          sequence: { groupOrder: 0 },
          testTimeout: 30_000,
        },
      },
      {
        ...fromSource,
        test: {
          ...patient,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/integration/sandbox/**'],
          // They mostly wait: three files at once use half of what two cores have.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Sandboxes of several users, which get into each other's way in /tmp when they run side by side.
        ...fromSource,
        test: {
          ...patient,
          name: 'sandbox',
          include: ['tests/integration/sandbox/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...fromSource,
        test: {
          ...patient,
          name: 'conformance',
          include: ['tests/conformance/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // A real Chromium; skipped, with the reason, where there is none.
        ...fromSource,
        test: {
          ...patient,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Attacks on the built program; a short part of each by default, all of it with HOSTILE=full.
        ...fromSource,
        test: {
          ...patient,
          name: 'hostile',
          include: ['tests/hostile/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Opt-in: it needs the last shell server of OpenAI (`npm run test:escalation-peers`).
        ...fromSource,
        test: {
          ...patient,
          name: 'escalation-peers',
          include: ['tests/escalation-peers/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // A real broker (see tests/fleet/support/nats-server.ts); all of it with FLEET=full.
        ...fromSource,
        test: {
          ...patient,
          name: 'fleet',
          include: ['tests/fleet/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Opt-in: it needs the real codex (`npm run test:codex`).
        ...fromSource,
        test: {
          ...patient,
          name: 'codex',
          include: ['tests/codex/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
