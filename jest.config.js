import { existsSync } from 'node:fs';

/**
 * Unit specs stand beside the code; in `test/`, `*.e2e.ts` speaks to a running service over HTTP. Files named `*.long.*`
 * start and kill processes, wait for real seconds or test tools of developers: `npm run test:slow` runs them.
 */
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^#src/(.*)\\.js$': '<rootDir>/src/$1.ts',
    '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1',
  },
};
const service = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** `fast` or `slow`, see scripts/test.mjs. */
const isSlow = process.env.TEST_TIER === 'slow';
const tier = isSlow ? '\\.long' : '(?<!\\.long)';

const projects = [
  {
    ...shared,
    displayName: 'unit',
    roots: ['src', 'tooling/sandbox', 'tooling/faults', 'tooling/bench', 'scripts', 'test', 'widget'].map(
      (part) => `<rootDir>/${part}`,
    ),
    testRegex: `${tier}\\.spec\\.ts$`,
  },
  { ...shared, ...service, displayName: 'e2e', roots: ['<rootDir>/test'], testRegex: `${tier}\\.e2e\\.ts$` },
];

/** The widget and the service's pages in Chromium, where there is one. */
const browser = {
  ...shared,
  ...service,
  displayName: 'browser',
  roots: ['<rootDir>/test/browser'],
  testRegex: '\\.browser\\.ts$',
};
const chromium = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
if (isSlow && existsSync(chromium)) projects.push(browser);
else if (isSlow) process.stderr.write(`Browser tests are left out: there is no Chromium at ${chromium}.\n`);

export default {
  // Each worker loads the modules of all files that it runs. Files of the slow tier start services of their own.
  maxWorkers: isSlow ? 2 : 4,
  // In Node 20 nothing of a file is freed, and each promise of a worker costs more than that of the file before.
  workerIdleMemoryLimit: '300MB',
  // A worker that keeps nothing open takes 0.2 to 1 s to free its modules; with Jest's 500 ms it counts as one that does.
  workerGracefulExitTimeout: 10_000,
  maxConcurrency: isSlow ? 3 : 10,
  // Only ends what hangs, on any machine: files set no limits of their own.
  testTimeout: isSlow ? 600_000 : 120_000,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  collectCoverageFrom: ['src/**/*.ts', 'tooling/sandbox/**/*.ts', '!**/*.{spec,fake,d}.ts'],
  projects,
};
