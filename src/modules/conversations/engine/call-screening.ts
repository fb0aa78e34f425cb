import type { ScreeningPhrases } from '../languages/language-pack.js';
import { packOf } from '../languages/languages.js';
import { normalize } from './recorded-text.js';
import { endsInQuestion, type InterruptionDecision } from './interruption-policy.js';
import type { ScreeningStep } from './conversation-recorder.js';
import type { HistoryEntry } from './earlier-conversation.js';
import type { TurnTrigger } from './turn-queue.js';

/** Tool name of the entries of call screening among a call's turns. */
export const CALL_SCREENING = 'call_screening';

/** Meaning of an utterance in a screened call; `holds`: the caller has to wait. */
export type ScreeningEvent = ScreeningStep | 'holds';

/** Maximum silence while call screening reaches the person. */
export const SCREENING_MS = 45_000;
/** Utterances after which call screening is no longer expected. */
const MAX_UTTERANCES_BEFORE = 3;

/** Recognises call screening: an assistant of the telephone that asks who calls before it connects the person. */
export class CallScreening {
  private state: 'possible' | 'waiting' | 'over';
  private utterances = 0;
  private isPersonNew = false;

  constructor(isPossible: boolean, history: readonly HistoryEntry[]) {
    const last = history.findLast((entry) => entry.role === 'tool' && entry.name === CALL_SCREENING);
    const step = last?.role === 'tool' ? last.arguments['step'] : undefined;
    if (step !== undefined) this.state = step === 'asked' ? 'waiting' : 'over';
    else this.state = isPossible ? 'possible' : 'over';
  }

  /** Whether the words of the next utterance decide who speaks. */
  get isExpected(): boolean {
    return this.state !== 'over';
  }

  /** Whether it has asked who calls: most of its words get no response. */
  get isWaiting(): boolean {
    return this.state === 'waiting';
  }

  /** Whether a person was connected since the last call: notices have to be repeated. */
  consumePersonConnected(): boolean {
    const { isPersonNew: isNew } = this;
    this.isPersonNew = false;
    return isNew;
  }

  /** @param language BCP 47. @returns null: the call is not, or no longer, screened */
  handleUtterance(text: string, language: string): ScreeningEvent | null {
    if (this.state === 'over') return null;
    const packs = [packOf(language), packOf('en')];
    const normalized = normalize(text);
    const matches = (kind: keyof ScreeningPhrases): boolean =>
      packs.some(({ screening }) => screening[kind].test(normalized));
    const namesMailbox = matches('mailbox') || matches('callsBack');
    const isMailbox = namesMailbox || matches('tone');
    // A person asks politely; screening gives an instruction, or announces what follows.
    const isPersons = matches('person') || (endsInQuestion(text, language) && !matches('connects'));
    const asks = matches('asks') && !isMailbox && !isPersons;
    // Screening may record the name after a tone, too.
    const asksName = matches('asksName') && matches('connects') && !namesMailbox && !matches('declines');
    if (asks || asksName) {
      this.state = 'waiting';
      return 'asked';
    }
    if (this.state === 'possible') {
      if (++this.utterances >= MAX_UTTERANCES_BEFORE) this.state = 'over';
      return null;
    }
    if (matches('holds')) return 'holds';
    this.state = 'over';
    if (matches('declines') || isMailbox) return 'declined';
    this.isPersonNew = true;
    return 'connected';
  }

  /** The turn that follows an utterance. */
  turnTrigger(event: ScreeningEvent | null): TurnTrigger {
    return event === 'asked' ? 'screened' : event === 'connected' ? 'connected' : 'answer';
  }
}

/** Questions of call screening always get a response, `holds` and `declined` never. */
export const decideScreening = (
  event: ScreeningEvent,
  decision: InterruptionDecision,
): InterruptionDecision => {
  if (event === 'holds' || event === 'declined') return 'ignore';
  return decision === 'ignore' ? 'wait' : decision;
};
