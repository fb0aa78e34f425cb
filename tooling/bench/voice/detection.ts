import { VoiceTurnDetector, type VoiceActivityDetector } from '#src/modules/speech/voice-activity.js';
import { quantile } from '../support/stats.js';
import { RATE } from './recordings.js';
import type { Timeline } from './timeline.js';

/** Frames of a carrier. */
const FRAME = RATE / 50;
const END_OF_TURN_MS = 600;
const CONNECT_MS = 30;
/** Results of a detector follow its audio by less than this. */
const LONGEST_WINDOW_MS = 64;
const MAX_WAIT_TURNS = 100;
/** A detector may be early by a window … */
const EARLY_MS = 100;
/** … and at the end by the last, quiet part of an utterance. */
const EARLY_END_MS = 500;

export interface Detection {
  /** Share of the utterances, 0–1. */
  found: number;
  onset: { p50: number; p95: number };
  /** Delay of the end of a turn beside its silence, in milliseconds. */
  end: { p50: number; p95: number };
  falseBeginsPerMinute: number;
  /** Share of one core. */
  cpu: number;
}

/** Runs a detector over a timeline as a call does, frame by frame, as fast as it can. */
export async function detectVoices(detector: VoiceActivityDetector, timeline: Timeline): Promise<Detection> {
  const { samples, utterances } = timeline;
  const lengthMs = (samples.length / RATE) * 1000;
  const begins: number[] = [];
  const ends: number[] = [];
  let heardMs = 0;
  const turns = new VoiceTurnDetector(() => END_OF_TURN_MS, {
    speechStarted: () => begins.push(heardMs),
    speechContinued: () => undefined,
    speechEnded: () => ends.push(heardMs - END_OF_TURN_MS),
  });
  const activity = detector.open(RATE, (isVoice, ms) => {
    heardMs += ms;
    turns.addFrame(isVoice, ms);
  });
  // Connects to the model before the audio begins.
  await new Promise((resolve) => setTimeout(resolve, CONNECT_MS));
  const before = process.cpuUsage();
  for (let at = 0; at < samples.length; at += FRAME) {
    activity.push(samples.subarray(at, at + FRAME));
    const pushedMs = ((at + FRAME) / RATE) * 1000;
    for (let turn = 0; turn < MAX_WAIT_TURNS && heardMs < pushedMs - LONGEST_WINDOW_MS; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  activity.close();
  const onsets = utterances.flatMap(({ from, to }) => {
    const begin = begins.find((ms) => ms >= from - EARLY_MS && ms <= to + EARLY_MS);
    return begin === undefined ? [] : [begin - from];
  });
  const delays = utterances.flatMap(({ from, to }) => {
    const isFound = begins.some((ms) => ms >= from - EARLY_MS && ms <= to + EARLY_MS);
    const end = ends.find((ms) => ms >= to - EARLY_END_MS);
    return isFound && end !== undefined ? [end - to] : [];
  });
  const isFalse = (ms: number): boolean =>
    !utterances.some(({ from, to }) => ms >= from - EARLY_MS && ms <= to + EARLY_MS);
  return {
    found: onsets.length / utterances.length,
    onset: { p50: quantile(onsets, 0.5), p95: quantile(onsets, 0.95) },
    end: { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) },
    falseBeginsPerMinute: begins.filter(isFalse).length / (lengthMs / 60_000),
    cpu: (user + system) / 1000 / lengthMs,
  };
}
