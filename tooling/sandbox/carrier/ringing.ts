import type { CallHandle } from './carrier-context.js';

/** Milliseconds of simulated time, see ClockSpeed. */
const RING_MS = 1_200;
/** After this long the network of somebody who does not answer gives up, unless the caller did before. */
const UNHEARD_MS = 80_000;

/** Lets it ring, at most `ringSeconds` real seconds; false when the call ended unanswered. */
export async function pickedUp(call: CallHandle, ringSeconds: number): Promise<boolean> {
  const { pickup } = call.callee;
  const giveUp = setTimeout(() => call.finish('no-answer'), ringSeconds * 1000);
  try {
    await call.carrier.clockSpeed.sleep(pickup === 'rings-out' ? UNHEARD_MS : RING_MS, call.over);
  } finally {
    clearTimeout(giveUp);
  }
  if (pickup === 'busy') call.finish('busy');
  if (pickup === 'rings-out') call.finish('no-answer');
  return pickup === 'answers';
}
