import { hearOut, isGoodbye, partWith } from './hearing.js';
import type { Line } from './line.js';

/** Maximum number of turns, so that every conversation ends. */
const MAX_TURNS = 10;
const MAX_SILENCES = 2;

const OPENING = 'Hello, this is Alex Morgan speaking. May I ask what this is about?';
const WISH = 'I see. I would like to have an appointment on Thursday at 3 pm, please.';
const PARTING = 'No, thank you, that was all. Goodbye!';

/** Replies to an assistant's typical questions; the first match counts. */
const ANSWERS: readonly (readonly [question: RegExp, answer: string])[] = [
  [/e-?mail/i, 'My e-mail address is alex.morgan@example.com.'],
  [/order|reference|customer number/i, 'The order number is 4711.'],
  [/phone number|reach you|call you back/i, 'You can reach me on this number.'],
  [/your (full |first |last )?name|speaking with|speaking to|who am i/i, 'My name is Alex Morgan.'],
  [/how are you/i, 'I am fine, thank you.'],
  [/\b(when|which day|what time|what day|suits? you|convenient)\b/i, 'Thursday at 3 pm suits me best.'],
  [/how many/i, 'Two, please.'],
  [/\b(do you have|is this|is now|may i|can i|could i)\b.*(moment|time|good time)/i, 'Yes, go ahead.'],
];

/** Says hello, asks for the reason, makes an appointment, answers questions, says goodbye. */
export async function politeHuman(line: Line): Promise<void> {
  await converse(line, [OPENING, WISH]);
}

/** Comes to the phone after another person or a machine has answered, without the earlier conversation. */
export async function comesToThePhone(line: Line): Promise<void> {
  while (line.hasMoreToHear()) await line.listen();
  await line.say(OPENING);
  await converse(line, [WISH]);
}

/** Says the given sentences in order, and is otherwise polite until all are said. */
export async function converse(line: Line, wishes: readonly string[]): Promise<void> {
  const open = [...wishes];
  let silences = 0;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const heard = await hearOut(line);
    if (heard === null) {
      if (++silences > MAX_SILENCES) return;
      // Without speech of the assistant the callee speaks first; later the callee asks.
      await line.say((turn === 0 ? open.shift() : undefined) ?? 'Hello? Are you still there?');
      continue;
    }
    if (isGoodbye(heard)) return partWith(line, 'Thank you, goodbye!');
    const words = (turn > 0 ? answerTo(heard) : undefined) ?? open.shift();
    if (words === undefined) break;
    await line.say(words);
  }
  await partWith(line, PARTING);
}

function answerTo(heard: string): string | undefined {
  if (!heard.includes('?')) return undefined;
  return ANSWERS.find(([question]) => question.test(heard))?.[1];
}
