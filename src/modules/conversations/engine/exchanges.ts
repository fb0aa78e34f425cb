import type { CallTurnView } from '../../calls/call.view.js';
import { soundsRecorded } from './screening-phrases.js';

/** A mailbox has said what it is within so many utterances; later, a person talks about mailboxes. */
const ANNOUNCEMENT_UTTERANCES = 3;

/** What of a turn counts: the entry of pressed keys is none of speech. */
const isSpeech = ({ text }: Spoken): boolean => /^(?!\[).*\p{L}/su.test(text);

type Spoken = Pick<CallTurnView, 'role' | 'text'>;

/**
 * How often the one who answered a call has spoken with the assistant, in the words that are stored of both: 0 where
 * one side has said nothing. The announcement of a mailbox, and the first utterance after it, which may be its rest,
 * count as nothing.
 */
export function exchangesIn(turns: readonly Spoken[]): number {
  const spoken = turns.filter(isSpeech);
  const said = spoken.filter(({ role }) => role === 'customer');
  if (said.length === spoken.length) return 0;
  const recorded = said.slice(0, ANNOUNCEMENT_UTTERANCES).findLastIndex(({ text }) => soundsRecorded(text));
  return recorded < 0 ? said.length : Math.max(0, said.length - recorded - 2);
}
