import type { CpuTreeMeter } from '../../faults/support/cpu-meter.js';
import { quantile } from '../support/stats.js';
import type { Engine } from './engines.js';

/** In ms. */
export interface BurstTimes {
  p95: number;
  /** CPU time of a search in this process and in the database: what it takes whatever else the machine does. */
  cpu: number;
}

/** Searches of which `atOnce` begin together; the next ones begin when all of them have ended. */
export async function measureBursts(
  engine: Engine,
  questions: readonly string[],
  atOnce: number,
  bursts: number,
  database: CpuTreeMeter,
): Promise<BurstTimes> {
  const times: number[] = [];
  let next = 0;
  const cpuBefore = process.cpuUsage();
  const databaseBefore = database.read();
  for (let burst = 0; burst < bursts; burst++) {
    const began = performance.now();
    const timed = async (): Promise<void> => {
      await engine(questions[next++ % questions.length] ?? '', 3);
      times.push(performance.now() - began);
    };
    await Promise.all(Array.from({ length: atOnce }, timed));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpu = (user + system) / 1000 + database.read() - databaseBefore;
  return { p95: quantile(times, 0.95), cpu: cpu / times.length };
}
