/** The thread of an end-of-turn model: the runtime computes where it is called, which would hold up all calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { TurnModelFile } from './turn-model-file.js';
import type { TurnMessage, TurnQuestion } from './turn-model-messages.js';

const TURN_SECONDS = 8;

const post = (message: TurnMessage): void => parentPort?.postMessage(message);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answer(model: TurnModelFile, { id, audio, until }: TurnQuestion): Promise<void> {
  if (Date.now() >= until) return post({ kind: 'answer', id, probability: null });
  try {
    post({ kind: 'answer', id, probability: await model.probability(audio) });
  } catch (error) {
    post({ kind: 'answer', id, probability: null, failure: reasonOf(error) });
  }
}

/** @returns milliseconds for a long turn of silence */
async function trialMsOf(model: TurnModelFile, sampleRate: number): Promise<number> {
  const started = performance.now();
  await model.probability({ samples: new Int16Array(TURN_SECONDS * sampleRate), sampleRate });
  return Math.round(performance.now() - started);
}

async function serve(path: string): Promise<void> {
  const model = await TurnModelFile.open(path);
  const trials: number[] = [];
  // The first turn of each rate takes longer: it loads the resampler.
  for (let times = 0; times < 2; times += 1)
    for (const rate of Object.values(SAMPLE_RATE)) trials.push(await trialMsOf(model, rate));
  let queue = Promise.resolve();
  parentPort?.on('message', (question: TurnQuestion) => {
    queue = queue.then(() => answer(model, question));
  });
  post({ kind: 'ready', trialMs: trials.at(-1) ?? 0 });
}

serve(String(workerData)).catch((error: unknown) => post({ kind: 'refused', reason: reasonOf(error) }));
