/**
 * npm run bench -- voice [--only model|energy|added|turns|noise] [--recordings <folder>]: detection of voices on a
 * telephone line, over backgrounds at several ratios of speech to noise, by the model and by the energy; the latency
 * that the service adds on each line; turn-taking in calls of the sandbox; and silences in calls from noisy places and
 * beside another person. The folder has WAV files of single words and sentences, for example those of Debian's package
 * asterisk-core-sounds-en-wav; without it, voices are synthesised.
 */
import { EnergyVoiceDetector } from '#src/modules/speech/audio/energy-voice-detector.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { SileroVoiceDetectorService } from '#src/modules/speech/silero/silero-voice-detector.service.js';
import type { VoiceActivityDetector } from '#src/modules/speech/voice-activity.js';
import { NOISES } from '../sandbox/speech/noise.js';
import type { BenchOptions } from './support/bench-options.js';
import { above, below, noted, type Finding } from './support/findings.js';
import { say } from './support/progress.js';
import { measureAdded } from './voice/added-latency.js';
import { detectVoices } from './voice/detection.js';
import { callsAtOnce } from './voice/calls-at-once.js';
import { readRecordings, type Recording, type Recordings } from './voice/recordings.js';
import { measureNoise } from './voice/noise-lines.js';
import { measureTurnTaking } from './voice/turn-taking.js';
import { buildTimeline, type Background } from './voice/timeline.js';

const RATIOS = [20, 10, 0, -5];
const WORDS = 60;
const SENTENCES = 40;
const OTHERS = 12;
const CALLS = 50;

/** Of a core for each call, in percent. */
const MAX_CPU = 4;
const MIN_FOUND_CLEAN = 95;
const MIN_FOUND = 90;
const MAX_ONSET_MS = 350;
const MAX_FALSE_BEGINS = 1;
/** In more noise than this nothing is promised. */
const MIN_RATIO = 10;

export const parts = ['model', 'energy', 'added', 'turns', 'noise'];

export async function run(only?: string, { recordings = null }: BenchOptions = {}): Promise<Finding[]> {
  if (only === 'added') return measureAdded();
  if (only === 'turns') return measureTurnTaking();
  if (only === 'noise') return measureNoise(recordings);
  const speech = await readRecordings(recordings, { words: WORDS, sentences: SENTENCES });
  const findings: Finding[] = [];
  if (only !== 'energy') {
    const detector = new SileroVoiceDetectorService({ speech: {} } as RuntimeSettings);
    if (!(await detector.load())) throw new Error('The packages of the voice model are not installed');
    findings.push(...(await measureDetector('model', detector, speech)));
    findings.push(...(await measureCalls(detector, speech.sentences)));
  }
  if (only !== 'model')
    findings.push(...(await measureDetector('energy', new EnergyVoiceDetector(), speech)));
  return only === undefined
    ? [
        ...findings,
        ...(await measureAdded()),
        ...(await measureTurnTaking()),
        ...(await measureNoise(recordings)),
      ]
    : findings;
}

async function measureDetector(
  name: string,
  detector: VoiceActivityDetector,
  { words, sentences }: Recordings,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const backgrounds: (Background | null)[] = [
    null,
    ...NOISES.flatMap((noise) => RATIOS.map((snrDb) => ({ noise, snrDb }))),
  ];
  for (const background of backgrounds) {
    const label = background ? `${background.noise} ${background.snrDb} dB` : 'clean';
    say(`voice: ${name}, ${label}`);
    const others = sentences.slice(0, OTHERS);
    const ofWords = await detectVoices(detector, buildTimeline(words, background, others));
    const ofSentences = await detectVoices(detector, buildTimeline(sentences, background, others));
    const falseBegins = (ofWords.falseBeginsPerMinute + ofSentences.falseBeginsPerMinute) / 2;
    const what = `${name}, ${label}`;
    const hasTarget = name === 'model';
    findings.push(
      withTarget(`${what}: words found`, '%', ofWords.found * 100, hasTarget ? minFound(background) : null),
      noted(`${what}: sentences found`, '%', ofSentences.found * 100),
      noted(`${what}: onset p50`, 'ms', ofSentences.onset.p50),
      hasTarget && background === null
        ? below(`${what}: onset p95`, 'ms', MAX_ONSET_MS, ofSentences.onset.p95)
        : noted(`${what}: onset p95`, 'ms', ofSentences.onset.p95),
      noted(`${what}: end p50`, 'ms', ofSentences.end.p50),
      noted(`${what}: end p95`, 'ms', ofSentences.end.p95),
      hasTarget && (background === null || background.snrDb >= MIN_RATIO)
        ? below(`${what}: false begins`, '/min', MAX_FALSE_BEGINS, falseBegins)
        : noted(`${what}: false begins`, '/min', falseBegins),
    );
    if (background === null)
      findings.push(below(`${what}: CPU of a call`, '%', MAX_CPU, ofSentences.cpu * 100));
  }
  return findings;
}

const withTarget = (what: string, unit: string, own: number, target: number | null): Finding =>
  target === null ? noted(what, unit, own) : above(what, unit, target, own);

function minFound(background: Background | null): number | null {
  if (background === null) return MIN_FOUND_CLEAN;
  return background.snrDb >= MIN_RATIO ? MIN_FOUND : null;
}

async function measureCalls(
  detector: VoiceActivityDetector,
  sentences: readonly Recording[],
): Promise<Finding[]> {
  say(`voice: ${CALLS} calls at once`);
  const { cpu, blockedMs } = await callsAtOnce(detector, buildTimeline(sentences, null, []).samples, CALLS);
  return [
    below(`model, ${CALLS} calls at once: CPU of a call`, '%', MAX_CPU, cpu * 100),
    noted(`model, ${CALLS} calls at once: delay of the event loop p99`, 'ms', blockedMs),
  ];
}
