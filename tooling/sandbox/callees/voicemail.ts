import type { Line, Talk } from './line.js';

const ANNOUNCEMENT =
  'Hi, you have reached the voicemail of Alex Morgan. I cannot take your call right now. ' +
  'Please leave a message after the tone.';
const SHORT = 'Alex. Leave a message.';
const LONG =
  'Hello, this is the mailbox of Alex Morgan, of the Morgan practice. I am on holiday until the end of the month and ' +
  'cannot take your call. In urgent cases, please turn to my colleague, whose number is on our web page. For everything ' +
  'else you can leave your name, your number and what it is about after the tone, and I will call you back.';
/** Longer than real mailboxes: at a high speed of the sandbox a loaded service takes seconds to hang up. */
const RECORDING_MS = 600_000;

const mailbox =
  (announcement: string): Talk =>
  async (line: Line): Promise<void> => {
    await line.say(announcement);
    await line.beep();
    await line.wait(RECORDING_MS);
  };

/**
 * Plays its announcement at once, beeps 9 s later, then records until the caller hangs up or the recording limit is
 * reached.
 */
export const voicemail = mailbox(ANNOUNCEMENT);
/** Beeps after 2 s, during the assistant's greeting. */
export const shortVoicemail = mailbox(SHORT);
/** Beeps after 20 s. */
export const longVoicemail = mailbox(LONG);
