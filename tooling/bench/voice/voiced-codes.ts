/**
 * The sandbox's customers speak in codes, which the model of voices takes for noise. Loaded into the service before it
 * starts (`node --import`), this gives its detector voices in their place, those of recordings in the folder
 * `BENCH_RECORDINGS` or synthesised ones; other audio stays as it is.
 */
import 'reflect-metadata';
import { SileroVoiceActivity } from '#src/modules/speech/silero/silero-voice-activity.js';
import { rms } from '../../sandbox/speech/noise.js';
import { readRecordings } from './recordings.js';

/** −22 dBFS: a person at the telephone. */
const LEVEL = 2_600;
const SENTENCES = 40;
/** All samples of codes are louder than this, few of a background. */
const QUIETEST_CODE = 1_900;
const SHARE = 0.8;
const BLOCK = 80;
/** After this many blocks without codes, 200 ms, another sentence begins. */
const PAUSE_BLOCKS = 20;

const { sentences } = await readRecordings(process.env['BENCH_RECORDINGS'] || null, {
  words: 0,
  sentences: SENTENCES,
});
const VOICES = sentences.map(({ samples }) => {
  const scale = LEVEL / rms(samples);
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * scale))));
});

let count = 0;

/** The voices that one call has instead of its codes, one sentence after the other. */
class VoicedCall {
  /** Each call begins with another sentence. */
  private index = count++ % VOICES.length;
  private place = 0;
  private quietBlocks = 0;

  replaceCodes(samples: Int16Array): Int16Array {
    const heard = samples.slice();
    for (let at = 0; at < heard.length; at += BLOCK) {
      const block = heard.subarray(at, at + BLOCK);
      const loud = block.filter((sample) => Math.abs(sample) > QUIETEST_CODE).length;
      if (loud < SHARE * block.length) this.quietBlocks += 1;
      else this.speak(block);
    }
    return heard;
  }

  private speak(block: Int16Array): void {
    if (this.quietBlocks >= PAUSE_BLOCKS) this.beginNext();
    this.quietBlocks = 0;
    for (let at = 0; at < block.length; at += 1) {
      if (this.place >= (VOICES[this.index]?.length ?? 0)) this.beginNext();
      block[at] = VOICES[this.index]?.[this.place++] ?? 0;
    }
  }

  private beginNext(): void {
    this.index = (this.index + 1) % VOICES.length;
    this.place = 0;
  }
}

const push = SileroVoiceActivity.prototype.push;
const calls = new WeakMap<SileroVoiceActivity, VoicedCall>();

SileroVoiceActivity.prototype.push = function (samples: Int16Array): void {
  const call = calls.get(this) ?? new VoicedCall();
  calls.set(this, call);
  push.call(this, call.replaceCodes(samples));
};
