import { hearOut, partWith } from './hearing.js';
import type { Line } from './line.js';

/** Longer than the silence after which recognisers end an utterance by default. */
const PAUSE_MS = 900;
const QUESTION = ['Is there an appointment free on', 'Thursday afternoon', 'or on Friday at three?'];

/** Asks a question in three parts with pauses in it, coughs after it, and says goodbye after the answer. */
export async function pausesInSentences(line: Line): Promise<void> {
  await hearOut(line);
  for (const part of QUESTION) {
    await line.say(part);
    await line.wait(PAUSE_MS);
  }
  await line.makeNoise();
  await hearOut(line);
  await partWith(line, 'Thank you, goodbye!');
}
