import { expect, it } from '@jest/globals';
import { fromPcm } from '#src/modules/speech/audio/audio-format.js';
import { callOfVoice, pcmVoiceOf, toTelephone, voiceOf } from './call-voices.js';

const CALLS = [0, 1, 47, 48, 49, 100, 1_000, 2_303];
const RATE = 24_000;

it('tells the calls of telephones apart', () => {
  expect(CALLS.map((call) => callOfVoice(voiceOf(call)))).toEqual(CALLS);
});

it.each([0, 1, 2, 3, 4, 5])('tells the calls of browsers apart after %d samples of silence', (silent) => {
  const heard = (call: number): Int16Array =>
    Int16Array.from([...new Int16Array(silent), ...fromPcm(pcmVoiceOf(call))]);
  expect(CALLS.map((call) => callOfVoice(toTelephone(heard(call), RATE)))).toEqual(CALLS);
});
