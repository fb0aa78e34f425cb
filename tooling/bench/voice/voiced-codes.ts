/**
 * The sandbox's customers speak in codes, which the model of voices takes for noise. Loaded into the service before it
 * starts (`node --import`), this gives its detector a synthesised voice in their place; other audio stays as it is.
 */
import 'reflect-metadata';
import { SileroVoiceActivity } from '#src/modules/speech/silero/silero-voice-activity.js';
import { syntheticVoice } from '../../sandbox/speech/synthetic-voice.js';

const RATE = 8_000;
/** −22 dBFS: a person at the telephone. */
const LEVEL = 2_600;
const VOICE = syntheticVoice({ sampleRate: RATE, seconds: 20, level: LEVEL });
/** All samples of codes are louder than this, few of a background. */
const QUIETEST_CODE = 1_900;
const SHARE = 0.8;
const BLOCK = 80;

const push = SileroVoiceActivity.prototype.push;
const places = new WeakMap<SileroVoiceActivity, number>();

SileroVoiceActivity.prototype.push = function (samples: Int16Array): void {
  let place = places.get(this) ?? 0;
  const heard = samples.slice();
  for (let at = 0; at < heard.length; at += BLOCK) {
    const block = heard.subarray(at, at + BLOCK);
    const loud = block.filter((sample) => Math.abs(sample) > QUIETEST_CODE).length;
    if (loud >= SHARE * block.length)
      block.forEach((_, index) => (block[index] = VOICE[(place + index) % VOICE.length] ?? 0));
    place += block.length;
  }
  places.set(this, place);
  push.call(this, heard);
};
