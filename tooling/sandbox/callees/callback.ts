import { hearOut, isGoodbye, partWith } from './hearing.js';
import type { Line } from './line.js';

const MAX_ANSWERS = 4;

/** Has no time now, says another time, and repeats it until the assistant confirms it. */
export async function asksForCallback(line: Line): Promise<void> {
  await hearOut(line);
  await line.say('I am sorry, I have no time now. Call me tomorrow at three, please.');
  for (let answer = 0; answer < MAX_ANSWERS; answer++) {
    const heard = await hearOut(line);
    if (heard === null || isGoodbye(heard)) break;
    if (/15:00|\b(?:three|3)\b/i.test(heard)) return partWith(line, 'Perfect, thank you. Goodbye!');
    await line.say('Tomorrow at three, as I said.');
  }
  await partWith(line, 'Well, goodbye!');
}
