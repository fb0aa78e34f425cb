import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { problemsOf, type HeardCall } from '../support/heard-call.js';
import { expectGoesOn, expectHeardAndStored, FLAWED, SpeechBench, TONES } from '../support/speech-bench.js';
import { until } from '../support/until.js';

const ROBIN = { name: 'Workshop', phone_number: '+15005550041', description: 'For repairs.' };
const QUIET = { allow_interruptions: false };

let bench: SpeechBench;
beforeAll(async () => {
  bench = await SpeechBench.start();
});
afterAll(() => bench.stop());

describe('a call whose assistant has speech providers', () => {
  const calls = new Map<string, Promise<HeardCall>>();
  const heardOf = (name: string): Promise<HeardCall> => calls.get(name) ?? Promise.reject(new Error(name));

  beforeAll(async () => {
    calls.set('polite', bench.call('0020', { ...QUIET, ambient_sound: 'office' }));
    calls.set('transfer', bench.call('0040', { ...QUIET, transfer_numbers: [ROBIN] }));
    calls.set('voicemail', bench.call('0052', { voice_mail_message: 'Please call Ada back.' }));
    calls.set('keys', bench.call('0026', QUIET));
    calls.set('stops-speaking', bench.call('0020', { ...FLAWED['stops-speaking'], ...QUIET }));
    await Promise.allSettled(calls.values());
  });

  it.each(['polite', 'keys'])('stores what both sides heard (%s)', async (name) => {
    const heard = await heardOf(name);
    if (name !== 'keys') expectHeardAndStored(heard);
    expect(heard.call['ended_reason']).toBe('goodbye');
    expect(heard.call['settings_not_applied']).not.toContain('ambient_sound');
  });

  it('recognises keys', async () => {
    expect((await heardOf('keys')).transcript).toContain('Customer: [keys pressed: ****]');
  });

  it('is transferred', async () => {
    const { call } = await heardOf('transfer');
    expect(call['ended_reason']).toBe('transferred');
    expect(call['transfers']).toEqual([
      expect.objectContaining({ to: ROBIN.phone_number, status: 'answered' }),
    ]);
  });

  it('leaves a message on an answering machine', async () => {
    const { call, transcript } = await heardOf('voicemail');
    expect(call['ended_reason']).toBe('voicemail');
    expect(transcript.split('\n').at(-1)).toBe('AI: Please call Ada back.');
  });

  it('continues with the speech of the carrier when the provider stops speaking', async () => {
    expectGoesOn(await heardOf('stops-speaking'));
  });
});

it('continues with its providers after a kill, and does not greet again', async () => {
  let killedAt: number | null = null;
  const heard = await bench.call('0020', QUIET, undefined, async (id) => {
    await until(async () => {
      const { rowCount } = await bench.carrier.db.query(
        `SELECT 1 FROM call_turns WHERE call_id = $1 AND role = 'assistant' AND (timings->>'heardTo')::int > 20
         OFFSET 1`,
        [id],
      );
      return rowCount === 1 ? true : null;
    });
    killedAt = Date.now();
    await bench.carrier.restart('kill');
  });
  expect(heard.call['settings_not_applied']).not.toContain('synthesizer_provider_id');
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(heard.transcript.split('this is Ada.')).toHaveLength(2);
  expect(problemsOf(heard, { ...TONES, killedAt })).toEqual([]);
});
