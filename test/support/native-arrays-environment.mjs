import { TestEnvironment } from 'jest-environment-node';

/** With the arrays of Node itself: native packages create them, and compare them with those of the test. */
export default class NativeArraysEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, { Float32Array, BigInt64Array });
  }
}
