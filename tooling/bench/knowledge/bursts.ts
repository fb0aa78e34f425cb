import { quantile } from '../support/stats.js';
import type { Engine } from './engines.js';

/** Milliseconds of searches, `atOnce` of which begin together and wait for each other's end. @returns the p95 */
export async function burstsP95(
  engine: Engine,
  questions: readonly string[],
  atOnce: number,
  bursts: number,
): Promise<number> {
  const times: number[] = [];
  let next = 0;
  for (let burst = 0; burst < bursts; burst++) {
    const began = performance.now();
    const timed = async (): Promise<void> => {
      await engine(questions[next++ % questions.length] ?? '', 3);
      times.push(performance.now() - began);
    };
    await Promise.all(Array.from({ length: atOnce }, timed));
  }
  return quantile(times, 0.95);
}
