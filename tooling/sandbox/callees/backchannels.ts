import type { Line } from './line.js';

const PAUSE_MS = 2_000;
const MAX_SOUNDS = 30;
const SOUNDS = ['Uh-huh.', 'Mm-hm.', 'Right.'];

/** Waits two seconds, makes a listening sound, and repeats it after each utterance of the assistant. */
export async function backchannels(line: Line): Promise<void> {
  for (let sound = 0; sound < MAX_SOUNDS; sound++) {
    await line.wait(PAUSE_MS);
    await line.say(SOUNDS[sound % SOUNDS.length] ?? '');
    await line.listen();
  }
}
