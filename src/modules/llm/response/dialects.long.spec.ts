import { expect, it } from '@jest/globals';
import { mutatedStream, TOOLS } from '../../../../tooling/faults/fuzz/mutated-streams.js';
import { streamProblems } from '../../../../tooling/faults/fuzz/verify-streams.js';
import { seeded } from '../../../../tooling/faults/support/random.js';
import { readResponse } from './read-response.fake.js';

const STREAMS = 600;

it(`reads ${STREAMS} changed streams`, async () => {
  const random = seeded(42);
  const wrong: string[] = [];
  for (let left = STREAMS; left > 0; left -= 1) {
    const { dialect: name, decision, chunks, isWhole } = mutatedStream(random);
    for (const isSpoken of [true, false]) {
      const { text, calls, error, stopped } = await readResponse(chunks, TOOLS, isSpoken);
      const failed = error !== null || stopped !== null;
      for (const problem of streamProblems(decision, isWhole, { text, calls, failed }, name === 'llama'))
        wrong.push(
          `${name}: ${problem}\n${JSON.stringify({ text, calls, error })}\n${Buffer.concat(chunks).toString()}`,
        );
    }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
});
