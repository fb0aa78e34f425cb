import type { Page } from 'playwright-core';
import type { Span } from '../../tooling/sandbox/carrier/line-voices.js';
import { until } from './until.js';

/** Shorter silence is a pause between words. */
const PAUSE_MS = 600;
/** Peaks of what is audible, of 1. */
const AUDIBLE = 0.01;
const BLOCK_SAMPLES = 2_048;

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
