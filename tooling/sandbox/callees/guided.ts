import { hearOut, partWith, THINK_MS } from './hearing.js';
import type { Line } from './line.js';
import { converse } from './polite-human.js';

const BARGE_IN_MS = 800;
const TIMES_INTERRUPTED = 2;

/** Interrupts the assistant early in its first sentences, and is polite afterwards. */
export async function interrupts(line: Line): Promise<void> {
  for (let times = 0; times < TIMES_INTERRUPTED; times++) {
    await line.untilAssistantSpeaks();
    await line.wait(BARGE_IN_MS);
    await line.say(times === 0 ? 'Sorry to interrupt, but who is calling?' : 'Wait, what is this about?');
  }
  await converse(line, ['I see. I would like to have an appointment on Thursday at 3 pm, please.']);
}

export async function hangsUpAfterGreeting(line: Line): Promise<void> {
  await line.listen();
}

export async function asksNeverToBeCalled(line: Line): Promise<void> {
  await hearOut(line);
  await partWith(line, 'Please take me off your list and never call me again.');
}

/** Mentions common topics of tools, so that one of them matches. */
const NEEDS_TOOL =
  'Hello, this is Alex Morgan. Can you look up my order 4711 and check whether an appointment is available on Thursday at 3 pm?';

export async function asksForTool(line: Line): Promise<void> {
  await converse(line, [NEEDS_TOOL]);
}

/** Then asks what no tool knows, but a document may have. */
export async function asksForToolAndDocument(line: Line): Promise<void> {
  await converse(line, [NEEDS_TOOL, 'One more question: where can I park my car?']);
}

export async function asksForGerman(line: Line): Promise<void> {
  await converse(line, ['Can we speak German, please?']);
}

/** Dictates a card number in two parts. */
export async function dictatesCardNumber(line: Line): Promise<void> {
  await hearOut(line);
  await line.say('Hello, I would like to pay by card. It is 4539 1488.');
  await converse(line, ['And then 0343 6467.']);
}

export async function pressesKeys(line: Line): Promise<void> {
  await hearOut(line);
  for (const digit of '123#') await line.press(digit);
  await line.wait(THINK_MS);
  await converse(line, ['I have pressed the keys. Is that all you need?']);
}
