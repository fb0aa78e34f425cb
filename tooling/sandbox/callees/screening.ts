import { hearOut } from './hearing.js';
import type { Line } from './line.js';
import { comesToThePhone } from './polite-human.js';

const ASKS = "Hi, if you record your name and reason for calling, I'll see if this person is available.";
const HOLDS = 'Thanks. Please stay on the line.';
const DECLINES = 'I am sorry, this person is not available right now.';
const REASON = /\b(?:about|because|regarding|concerning|reason)\b/i;
/** Duration of silence: longer than the usual silence timeout of assistants. */
const RINGS_MS = 14_000;

/**
 * An assistant of the telephone that asks who calls and why, and transcribes for the person, who comes to the phone
 * after a while. Without a reason the person does not come. Speech in the meantime is ignored.
 */
export async function screensCalls(line: Line): Promise<void> {
  await line.say(ASKS);
  line.fallSilent();
  // A notice about recordings or automated assistants may come first: only silence after it means no reason.
  let heard = await hearOut(line);
  while (heard !== null && !REASON.test(heard)) heard = await hearOut(line);
  if (heard === null) return line.say(DECLINES);
  await line.say(HOLDS);
  await line.wait(RINGS_MS);
  await comesToThePhone(line);
}
