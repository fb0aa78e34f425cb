import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** The storages that the code of the running test file has entered; one of each file is Jest's own. */
const entered = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    entered.add(this);
    return original.apply(this, args);
  };
}

/**
 * Disables a test file's storages at its end. Without this Node 20 copies the values of the storages of all earlier
 * files into each promise of the worker: promises become slower with each file, and nothing of a file is ever freed.
 */
export default class NodeEnvironment extends TestEnvironment {
  async teardown() {
    for (const storage of entered) storage.disable();
    entered.clear();
    await super.teardown();
  }
}
