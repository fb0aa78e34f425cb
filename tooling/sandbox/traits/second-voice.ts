import { activeRms } from '../speech/noise.js';
import { seededRandom } from '../speech/seeded-random.js';
import { syntheticVoice } from '../speech/synthetic-voice.js';

/** In seconds. */
const UTTERANCE = { shortest: 0.6, longest: 2 };
const PAUSE = { shortest: 1.5, longest: 4 };
const SEED = 5;

/** @returns utterances with pauses between them, whose root mean square without the pauses is 1 */
export function secondVoice({ sampleRate, samples }: { sampleRate: number; samples: number }): Float32Array {
  const random = seededRandom(SEED);
  const between = ({ shortest, longest }: typeof PAUSE): number =>
    shortest + ((random() + 1) / 2) * (longest - shortest);
  const sound = new Float32Array(samples);
  for (let at = Math.round(sampleRate * PAUSE.shortest), seed = SEED; at < samples; seed += 1) {
    const voice = syntheticVoice({ sampleRate, seconds: between(UTTERANCE), seed });
    const level = activeRms(voice) || 1;
    sound.set(
      Float32Array.from(voice.subarray(0, samples - at), (sample) => sample / level),
      at,
    );
    at += voice.length + Math.round(sampleRate * between(PAUSE));
  }
  return sound;
}
