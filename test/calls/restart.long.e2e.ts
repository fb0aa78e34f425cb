import { expect, it } from '@jest/globals';
import { CarrierBench } from '../support/carrier-bench.js';
import { aSpokenCall, bothSides, GREETING } from '../support/spoken-call.js';
import { until } from '../support/until.js';

it.concurrent.each(['stop', 'kill'] as const)(
  'a call continues after %s and a restart of its service in the middle of a speech',
  async (how) => {
    const bench = await CarrierBench.start(undefined, 1);
    try {
      const call = await aSpokenCall(bench, '0020');
      // The carrier has all of the second speech, and has only begun to say it.
      await until(async () => {
        const { rowCount } = await bench.db.query(
          `SELECT 1 FROM call_turns WHERE call_id = $1 AND role = 'assistant'`,
          [call.id],
        );
        return (rowCount ?? 0) >= 2;
      });
      await bench.restart(how);
      const { heard, stored } = await bothSides(call);
      expect(heard.join(' ').split(GREETING)).toHaveLength(2);
      expect(heard.length).toBeGreaterThan(2);
      expect(stored.join(' ')).toBe(heard.join(' '));
    } finally {
      await bench.stop();
    }
  },
);
