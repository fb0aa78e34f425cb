import type { CallTurnView } from '../../calls/call.view.js';
import { isRecordedText } from './recorded-text.js';

/** Utterances within which a mailbox announces itself; later, a person talks about mailboxes. */
const ANNOUNCEMENT_UTTERANCES = 3;

/** False for fillers, entries of pressed keys and text without letters. */
const isSpeech = ({ kind, text }: Spoken): boolean => kind === 'speech' && /^(?!\[).*\p{L}/su.test(text);

type Spoken = Pick<CallTurnView, 'role' | 'kind' | 'text'>;

/**
 * Number of the callee's utterances in an exchange with the assistant: 0 where one side has not spoken. The
 * announcement of a mailbox, and the first utterance after it, which may be its rest, do not count.
 */
export function countExchanges(turns: readonly Spoken[]): number {
  const spoken = turns.filter(isSpeech);
  const utterances = spoken.filter(({ role }) => role === 'customer');
  if (utterances.length === spoken.length) return 0;
  const recorded = utterances
    .slice(0, ANNOUNCEMENT_UTTERANCES)
    .findLastIndex(({ text }) => isRecordedText(text));
  return recorded < 0 ? utterances.length : Math.max(0, utterances.length - recorded - 2);
}
