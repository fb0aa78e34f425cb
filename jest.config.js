/** Unit specs stand beside the code; in `test/`, `*.e2e.ts` speaks to a running service over HTTP. */
const shared = {
  testEnvironment: '<rootDir>/test/support/node-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^#src/(.*)\\.js$': '<rootDir>/src/$1.ts',
    '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1',
  },
};

/** Calls at the speed of people, and processes that die and start again: `npm run faults -- crash` runs them. */
const LONG = process.env.LONG_TESTS ? [] : ['\\.long\\.(e2e|spec)\\.ts$'];

/** Tests in a browser, which not every machine has: `npm run test:browser` runs them. */
const BROWSER = process.env.BROWSER_TESTS
  ? [
      {
        ...shared,
        displayName: 'browser',
        roots: ['<rootDir>/test/browser'],
        testRegex: '\\.browser\\.ts$',
        globalSetup: '<rootDir>/test/support/global-setup.ts',
        globalTeardown: '<rootDir>/test/support/global-teardown.ts',
      },
    ]
  : [];

export default {
  // Most of an end-to-end spec is waiting for the service.
  maxWorkers: 6,
  maxConcurrency: 3,
  // A hook that makes or drops a database waits for the disk: 5 s, Jest's default, is too short on a busy machine.
  testTimeout: 30_000,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', '!**/*.{spec,fake,d}.ts'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['src', 'sandbox', 'scripts', 'faults', 'test', 'widget'].map((part) => `<rootDir>/${part}`),
      testRegex: '\\.spec\\.ts$',
      testPathIgnorePatterns: LONG,
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testRegex: '\\.e2e\\.ts$',
      testPathIgnorePatterns: LONG,
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    ...BROWSER,
  ],
};
