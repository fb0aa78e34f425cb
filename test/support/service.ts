export * from '../../tooling/harness/server-process.js';
