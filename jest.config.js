/** Unit specs stand beside the code; `test/` speaks to a running service over HTTP. */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^#src/(.*)\\.js$': '<rootDir>/src/$1.ts',
    '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1',
  },
};

export default {
  // Most of an end-to-end spec is waiting for the service.
  maxWorkers: 2,
  maxConcurrency: 3,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  collectCoverageFrom: ['src/**/*.ts', 'sandbox/**/*.ts', '!**/*.{spec,fake,d}.ts'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/sandbox', '<rootDir>/scripts', '<rootDir>/faults'],
      testRegex: '\\.spec\\.ts$',
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testRegex: '\\.e2e\\.ts$',
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
