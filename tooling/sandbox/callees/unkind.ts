import type { Line } from './line.js';
import { converse } from './polite-human.js';

const INTO_SPEECH_MS = 1_000;
const COUGHS = 2;
const TIMES_TALKED_OVER = 3;

/** Coughs while the assistant speaks: the carrier interrupts it, and no words follow. Polite otherwise. */
export async function coughs(line: Line): Promise<void> {
  for (let times = 0; times < COUGHS; times++) {
    await line.untilAssistantSpeaks();
    await line.wait(INTO_SPEECH_MS);
    await line.makeNoise();
  }
  await converse(line, [
    'Excuse me, I had to cough. I would like to have an appointment on Thursday at 3 pm.',
  ]);
}

/** Speaks over the assistant without a pause for a response. Polite after its sentences. */
export async function talksOver(line: Line): Promise<void> {
  for (let times = 0; times < TIMES_TALKED_OVER; times++) {
    await line.untilAssistantSpeaks();
    await line.wait(INTO_SPEECH_MS);
    await line.say('Yes, yes, I know, but listen, what I wanted to say is the following.');
    await line.say('I have been waiting for two weeks now, and nobody has called me back.');
  }
  await converse(line, ['So please, I would like to have an appointment on Thursday at 3 pm.']);
}
