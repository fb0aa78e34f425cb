import type { Page } from 'playwright-core';
import type { Span } from '../../tooling/sandbox/carrier/line-voices.js';
import { rms } from '../../tooling/sandbox/speech/noise.js';
import { until } from './until.js';

/** Shorter silence is a pause between words. */
const PAUSE_MS = 600;
/** Peaks of what is audible, of 1. */
const AUDIBLE = 0.01;
const BLOCK_SAMPLES = 2_048;
const MOMENT_MS = 100;
/** The loudness of an echo follows that of the assistant's words. */
const ENVELOPE_HZ = 15;
/** Of a tone: its root mean square for each of the mean of its magnitude. */
const ENVELOPE_OF_RMS = Math.PI / Math.sqrt(8);

/**
 * Runs in a page after `LISTENS_TO_TEST`: records how loud the person and the assistant are in each block of the page's
 * audio.
 */
export const HEARS_BOTH_SIDES = `{
  const { connect } = AudioNode.prototype;
  let loudspeaker;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (this instanceof AudioWorkletNode && to === this.context.destination) {
      loudspeaker = this.context.createMediaStreamDestination();
      connect.call(this, loudspeaker);
    }
    return connect.call(this, to, ...rest);
  };
  const peak = (samples) => {
    let highest = 0;
    for (const sample of samples) highest = Math.max(highest, Math.abs(sample));
    return highest;
  };
  const listen = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    const person = listen.call(this, stream);
    const assistant = new MediaStreamAudioSourceNode(this, { mediaStream: loudspeaker.stream });
    const sides = this.createChannelMerger(2);
    person.connect(sides, 0, 0);
    assistant.connect(sides, 0, 1);
    const recorder = this.createScriptProcessor(${BLOCK_SAMPLES}, 2, 1);
    sides.connect(recorder).connect(this.destination);
    const blockMs = (1000 * ${BLOCK_SAMPLES}) / this.sampleRate;
    const heard = (globalThis.heard = { blockMs, levels: [], quietMs: 0 });
    recorder.onaudioprocess = ({ inputBuffer }) => {
      const level = [0, 1].map((side) => peak(inputBuffer.getChannelData(side)));
      heard.levels.push(level);
      heard.quietMs = Math.max(...level) < ${AUDIBLE} ? heard.quietMs + blockMs : 0;
    };
    // Nodes that nothing refers to are collected.
    globalThis.heardBy = { assistant, recorder };
    return person;
  };
}`;

export interface Echo {
  /** By how much it is quieter than the assistant. */
  decibels: number;
  delayMs: number;
  /** What it sounds like: the assistant of the sandbox speaks in tones, which no detector takes for a voice. */
  voice: Int16Array;
  rate: number;
}

/** A voice has louder and quieter moments than its mean, in an echo those of the assistant. */
function loudestOf(voice: Int16Array, rate: number): number {
  const moment = Math.round((rate * MOMENT_MS) / 1_000);
  const count = Math.floor(voice.length / moment);
  const moments = Array.from({ length: count }, (_, at) => voice.subarray(at * moment, (at + 1) * moment));
  return Math.max(...moments.map(rms));
}

/**
 * Runs in a page after `HEARS_BOTH_SIDES`: the microphone takes the loudspeaker's sound, as far as echo cancellation
 * leaves it. It is a voice, as loud as the assistant is at the moment.
 */
export function echoes({ decibels, delayMs, voice, rate }: Echo): string {
  const factor = ENVELOPE_OF_RMS / 10 ** (decibels / 20) / loudestOf(voice, rate);
  const sound = [...voice].map((sample) => (sample * factor).toFixed(5)).join();
  return `{
    const sound = Float32Array.from([${sound}]);
    const listen = AudioContext.prototype.createMediaStreamSource;
    AudioContext.prototype.createMediaStreamSource = function (stream) {
      const microphone = this.createGain();
      listen.call(this, stream).connect(microphone);
      const voice = this.createBufferSource();
      voice.buffer = this.createBuffer(1, sound.length, ${rate});
      voice.buffer.copyToChannel(sound, 0);
      voice.loop = true;
      voice.start();
      const loudness = this.createGain();
      loudness.gain.value = 0;
      const envelope = this.createBiquadFilter();
      envelope.frequency.value = ${ENVELOPE_HZ};
      const magnitude = this.createWaveShaper();
      magnitude.curve = Float32Array.of(1, 0, 1);
      heardBy.assistant.connect(magnitude).connect(envelope).connect(loudness.gain);
      const delay = this.createDelay();
      delay.delayTime.value = ${delayMs / 1000};
      voice.connect(loudness).connect(delay).connect(microphone);
      Object.assign(heardBy, { microphone, envelope });
      return microphone;
    };
  }`;
}

/** When each side was audible, in milliseconds of the page's audio. */
export interface PageVoices {
  person: Span[];
  assistant: Span[];
}

/** Of a page that `HEARS_BOTH_SIDES`. */
export async function pageVoices(page: Page): Promise<PageVoices> {
  // As text: the page would take long to describe each value.
  const { levels, blockMs } = JSON.parse((await page.evaluate('JSON.stringify(heard)')) as string) as {
    levels: [number, number][];
    blockMs: number;
  };
  const spansOf = (side: 0 | 1): Span[] => {
    const spans: Span[] = [];
    levels.forEach((level, block) => {
      if (level[side] < AUDIBLE) return;
      const from = block * blockMs;
      const last = spans.at(-1);
      if (last && from - last.to <= PAUSE_MS) last.to = from + blockMs;
      else spans.push({ from, to: from + blockMs });
    });
    return spans;
  };
  return { person: spansOf(0), assistant: spansOf(1) };
}

/** Resolves when nobody was audible for this long, in milliseconds of the page's audio. */
export const quiet = (page: Page, ms: number): Promise<boolean> =>
  until(async () => ((await page.evaluate('heard.quietMs')) as number) >= ms);

/** For how long the spans are at the same time, in milliseconds. */
export const overlapMs = (span: Span, others: readonly Span[]): number =>
  others.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
    0,
  );
