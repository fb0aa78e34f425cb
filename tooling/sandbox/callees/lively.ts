import { hearOut } from './hearing.js';
import type { Line } from './line.js';

/** Longer than the silence after which recognisers end an utterance by default. */
const PAUSE_MS = 900;
/** Into the assistant's answer. */
const SOON_MS = 1_200;

/** Utterances of `livelyCustomer`, by what they are for. */
export const LIVELY = {
  parts: ['Is there a table free on ', 'the terrace ', 'or inside at eight?'],
  question: 'Do you also have vegetarian dishes?',
  another: 'And is it possible to bring our dog along?',
  backchannel: 'Mhm.',
  interruption: 'Wait, can I also pay by card?',
  short: 'Yes.',
  parting: 'No, that was all for now. Goodbye!',
} as const;

/**
 * Pauses inside a question, listens with an "mhm", coughs over an answer, interrupts another one, answers in one word,
 * and hangs up right after the last word.
 */
export async function livelyCustomer(line: Line): Promise<void> {
  await hearOut(line);
  for (const [index, part] of LIVELY.parts.entries()) {
    if (index > 0) await line.wait(PAUSE_MS);
    await line.say(part);
  }
  await intoAnswer(line, () => line.say(LIVELY.backchannel));
  await hearOut(line);
  await line.say(LIVELY.question);
  await intoAnswer(line, () => line.makeNoise());
  await hearOut(line);
  await line.say(LIVELY.another);
  await intoAnswer(line, () => line.say(LIVELY.interruption));
  await hearOut(line);
  await line.say(LIVELY.short);
  await hearOut(line);
  await line.say(LIVELY.parting);
}

async function intoAnswer(line: Line, act: () => Promise<void>): Promise<void> {
  await line.untilAssistantSpeaks();
  await line.wait(SOON_MS);
  await act();
}
