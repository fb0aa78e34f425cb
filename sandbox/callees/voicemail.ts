import type { Line } from './line.js';

const ANNOUNCEMENT =
  'Hi, you have reached the voicemail of Alex Morgan. I cannot take your call right now. ' +
  'Please leave a message after the tone.';
const RECORDING_MS = 60_000;

/** Announces itself at once, beeps, then records until the caller hangs up or the recording limit is reached. */
export async function voicemail(line: Line): Promise<void> {
  await line.say(ANNOUNCEMENT);
  await line.beep();
  await line.wait(RECORDING_MS);
}
