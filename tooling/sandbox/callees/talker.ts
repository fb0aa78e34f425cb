import type { Line } from './line.js';

const BREATH_MS = 1_000;
/** Maximum number of sentences; every limit of the service is reached earlier. */
const MAX_SENTENCES = 2_000;

const MONOLOGUE = [
  'Oh, you know, I was just telling my neighbour about this the other day, and he would not believe it.',
  'And then there is the garden, which takes up all of my time since the summer began.',
  'My cousin once had the very same thing, or something close to it, and it went on for weeks.',
  'But where was I, yes, the weather has been quite something, has it not, and it goes on and on.',
];

/** Interrupts every utterance of the other side. */
export async function talksWithoutEnd(line: Line): Promise<void> {
  for (let sentence = 0; sentence < MAX_SENTENCES; sentence++) {
    await line.say(MONOLOGUE[sentence % MONOLOGUE.length] ?? '');
    await line.wait(BREATH_MS);
  }
}
