import type { Line } from './line.js';
import { comesToThePhone } from './polite-human.js';

interface Level {
  /** Played sentence by sentence: each is a separate utterance. */
  choices: readonly string[];
  /** The key for the next level. */
  key: string;
}

const WELCOME = 'Thank you for calling the Morgan practice.';
const LEVELS: readonly Level[] = [
  {
    choices: ['For prescriptions, press 1.', 'For appointments and all other requests, press 2.'],
    key: '2',
  },
  { choices: ['To cancel an appointment, press 7.', 'To make an appointment, press 3.'], key: '3' },
  {
    choices: ['To hear our opening hours, press 4.', 'To speak with a person about appointments, press 0.'],
    key: '0',
  },
];
const WRONG = 'I am sorry, that is not one of the choices.';
const NOBODY = 'We have not received your choice. Goodbye.';
const HOLD = 'Please hold the line.';

const BREATH_MS = 700;
/** Time that a menu waits for a key, and number of repetitions of a level. */
const PATIENCE_MS = 6_000;
const MAX_READINGS = 4;
const HOLD_MS = 3_000;

/**
 * A recorded menu of three levels, followed by a person. It ignores speech, plays each level to its end, and hangs up
 * without a key or after wrong keys only.
 */
export async function menu(line: Line): Promise<void> {
  await line.say(WELCOME);
  for (const level of LEVELS) if (!(await chosen(line, level))) return line.say(NOBODY);
  await line.say(HOLD);
  await line.wait(HOLD_MS);
  await comesToThePhone(line);
}

async function chosen(line: Line, { choices, key }: Level): Promise<boolean> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    for (const choice of choices) {
      await line.wait(BREATH_MS);
      await line.say(choice);
    }
    const pressed = await line.key(PATIENCE_MS);
    if (pressed === key) return true;
    if (pressed !== null) await line.say(WRONG);
  }
  return false;
}
