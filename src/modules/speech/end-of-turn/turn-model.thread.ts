/** The thread of an end-of-turn model: the runtime computes where it is called, which would hold up all calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf, TurnModelFile } from './turn-model-file.js';
import type { TurnMessage, TurnQuestion } from './turn-model-messages.js';

const post = (message: TurnMessage): void => parentPort?.postMessage(message);

async function answer(model: TurnModelFile, { id, audio, until }: TurnQuestion): Promise<void> {
  if (Date.now() >= until) return post({ kind: 'answer', id, probability: null });
  try {
    post({ kind: 'answer', id, probability: await model.probability(audio) });
  } catch (error) {
    post({ kind: 'answer', id, probability: null, failure: reasonOf(error) });
  }
}

async function serve(path: string): Promise<void> {
  const model = await TurnModelFile.open(path);
  const trialMs = await model.trialMs();
  let queue = Promise.resolve();
  parentPort?.on('message', (question: TurnQuestion) => {
    queue = queue.then(() => answer(model, question));
  });
  post({ kind: 'ready', trialMs });
}

serve(String(workerData)).catch((error: unknown) => post({ kind: 'refused', reason: reasonOf(error) }));
