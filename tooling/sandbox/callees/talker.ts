import { hearOut } from './hearing.js';
import type { Line } from './line.js';
import { converse } from './polite-human.js';

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

/** Two minutes at the speed of people. */
const STORY_SENTENCES = 22;
/** Shorter than the silence after which recognisers end an utterance. */
const SHORT_BREATH_MS = 300;
const LAUGHS = 3;
const LAUGH_PAUSE_MS = 150;

/** Talks for two minutes with a laugh in the middle, asks then, and is polite afterwards. */
export async function tellsStory(line: Line): Promise<void> {
  await hearOut(line);
  for (let sentence = 0; sentence < STORY_SENTENCES; sentence++) {
    await line.say(MONOLOGUE[sentence % MONOLOGUE.length] ?? '');
    await line.wait(SHORT_BREATH_MS);
    if (sentence === STORY_SENTENCES / 2) await laugh(line);
  }
  await line.say('So, what I wanted to ask: can I have an appointment on Thursday at 3 pm?');
  await converse(line, []);
}

async function laugh(line: Line): Promise<void> {
  for (let times = 0; times < LAUGHS; times++) {
    await line.makeNoise();
    await line.wait(LAUGH_PAUSE_MS);
  }
}
