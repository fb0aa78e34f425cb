import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ask, RecordingsBench } from '../support/recordings-bench.js';

let bench: RecordingsBench;
beforeAll(async () => {
  bench = await RecordingsBench.start();
});
afterAll(() => bench.stop());

it('deletes the recording of a deleted call when the carrier is away and the process dies', async () => {
  const user = await bench.account();
  // One after the other: a number has one call at a time.
  const kept = await bench.recordedCall(user);
  const doomed = await bench.recordedCall(user);
  bench.carrier.down();
  expect((await user.client.delete(`/user/calls/${doomed.id}`)).status).toBe(200);
  await bench.until(async () => ((await bench.stateOf(doomed))?.attempts ?? 0) > 0);
  await bench.restart('kill');
  bench.carrier.up();
  await bench.until(async () => (await bench.stateOf(doomed)) === null);
  expect((await bench.fetchAtCarrier(doomed)).status).toBe(404);
  expect((await ask(doomed.url)).status).toBe(404);
  expect((await ask(kept.url)).status).toBe(200);
});
