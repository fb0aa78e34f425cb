/** The work of a server with `count-statements.js` since its start. */
export interface Work {
  /** Without BEGIN, COMMIT and ROLLBACK, which are `frames`. */
  statements: number;
  frames: number;
  /** CPU time of the process. */
  cpuMs: number;
}
