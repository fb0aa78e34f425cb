import type { CallHandle } from './carrier-context.js';

/** Milliseconds of simulated time, see ClockSpeed. */
const RING_MS = 1_200;
/** Ring timeout of the callee's network, unless the caller's timeout is shorter. */
const UNHEARD_MS = 80_000;
const DURATIONS_MS = {
  answers: RING_MS,
  busy: RING_MS,
  unroutable: RING_MS,
  'rings-out': UNHEARD_MS,
  /** Only the caller's timeout applies. */
  'rings-on': 24 * 3_600_000,
};

/** Rings for at most `ringSeconds` real seconds; false for an unanswered call. */
export async function pickedUp(call: CallHandle, ringSeconds: number): Promise<boolean> {
  const { pickup } = call.callee;
  const giveUp = setTimeout(() => call.finish('no-answer'), ringSeconds * 1000);
  try {
    await call.carrier.clockSpeed.sleep(DURATIONS_MS[pickup], call.over);
  } finally {
    clearTimeout(giveUp);
  }
  if (pickup === 'busy') call.finish('busy');
  if (pickup === 'rings-out') call.finish('no-answer');
  return pickup === 'answers';
}
