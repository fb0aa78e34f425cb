import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ask, RecordingsBench } from '../support/recordings-bench.js';

let bench: RecordingsBench;
beforeAll(async () => {
  bench = await RecordingsBench.start();
});
afterAll(() => bench.stop());

it('deletes the recording of a deleted call when the carrier is unavailable and the process terminates', async () => {
  const user = await bench.account();
  // One after the other: a number has one call at a time.
  const kept = await bench.recordedCall(user);
  const doomed = await bench.recordedCall(user);
  bench.proxy.down();
  expect((await user.client.delete(`/user/calls/${doomed.id}`)).status).toBe(200);
  await bench.until(async () => ((await bench.stateOf(doomed))?.attempts ?? 0) > 0);
  await bench.restart('kill');
  bench.proxy.up();
  await bench.until(async () => (await bench.stateOf(doomed)) === null);
  expect((await bench.fetchAtCarrier(doomed)).status).toBe(404);
  expect((await ask(doomed.url)).status).toBe(404);
  expect((await ask(kept.url)).status).toBe(200);
});

it('deletes the recording of a deleted call when the carrier is unavailable for a while', async () => {
  const user = await bench.account();
  const call = await bench.recordedCall(user);
  const doomed = await bench.recordedCall(user);
  bench.proxy.down();
  expect((await ask(doomed.url)).json()).toEqual({
    message: 'The recording is not available at the moment. Please try again later.',
  });
  expect((await user.client.delete(`/user/calls/${doomed.id}`)).status).toBe(200);
  expect((await ask(doomed.url)).json()).toEqual({ message: 'Recording not found' });
  await bench.until(async () => ((await bench.stateOf(doomed))?.attempts ?? 0) > 0);
  bench.proxy.up();
  await bench.db.query('UPDATE recordings SET due_at = now() WHERE call_id = $1', [doomed.id]);
  await bench.until(async () => (await bench.stateOf(doomed)) === null);
  expect((await bench.fetchAtCarrier(doomed)).status).toBe(404);
  expect((await ask(doomed.url)).status).toBe(404);
  expect((await ask(call.url)).status).toBe(200);
});
