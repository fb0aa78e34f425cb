import { ENGLISH, PHRASES, type ScreeningPhrases } from './screening-phrases.js';
import type { Floor } from './interruption-policy.js';
import type { ScreeningStep } from './conversation-recorder.js';
import type { HistoryEntry } from './earlier-conversation.js';
import type { Cue } from './turn-queue.js';

/** Name of the entries among a call's turns that tell what call screening did. */
export const CALL_SCREENING = 'call_screening';

/** What an utterance means in a call that is screened; `holds`: the caller has to wait. */
export type ScreeningCue = ScreeningStep | 'holds';

/** How long call screening may take to reach the person, without a word. */
export const SCREENING_MS = 45_000;
/** Later than this many utterances nobody who answers is a screening. */
const MAX_UTTERANCES_BEFORE = 3;

/** Recognises by its words an assistant of the telephone that asks who calls before a person comes to the phone. */
export class CallScreening {
  private state: 'possible' | 'waiting' | 'over';
  private utterances = 0;
  private isNew = false;

  constructor(isPossible: boolean, history: readonly HistoryEntry[]) {
    const last = history.findLast((entry) => entry.role === 'tool' && entry.name === CALL_SCREENING);
    const step = last?.role === 'tool' ? last.arguments['step'] : undefined;
    if (step !== undefined) this.state = step === 'asked' ? 'waiting' : 'over';
    else this.state = isPossible ? 'possible' : 'over';
  }

  /** Whether the person has to be told, once, what the screening may have heard. */
  takeNewPerson(): boolean {
    const { isNew } = this;
    this.isNew = false;
    return isNew;
  }

  /** @param language BCP 47. @returns null: the call is not screened, or not any more */
  hear(text: string, language: string): ScreeningCue | null {
    if (this.state === 'over') return null;
    const own = PHRASES[language.slice(0, 2).toLowerCase()] ?? ENGLISH;
    const said = text.toLowerCase().replaceAll('’', "'");
    const means = (kind: keyof ScreeningPhrases): boolean => own[kind].test(said) || ENGLISH[kind].test(said);
    const isMailbox = means('mailbox') || means('tone');
    const asks = means('asks') && !isMailbox;
    // Screening may record the name after a tone, too.
    const asksName = means('asksName') && means('connects') && !means('mailbox') && !means('declines');
    if (asks || asksName) {
      this.state = 'waiting';
      return 'asked';
    }
    if (this.state === 'possible') {
      if (++this.utterances >= MAX_UTTERANCES_BEFORE) this.state = 'over';
      return null;
    }
    if (means('holds')) return 'holds';
    this.state = 'over';
    if (means('declines') || isMailbox) return 'declined';
    this.isNew = true;
    return 'connected';
  }

  /** The turn that follows an utterance. */
  turnAfter(cue: ScreeningCue | null): Cue {
    return cue === 'asked' ? 'screened' : cue === 'connected' ? 'connected' : 'answer';
  }
}

/** A screening is always answered, and what only asks for patience or declines never is. */
export const screenedFloor = (cue: ScreeningCue, decision: Floor): Floor => {
  if (cue === 'holds' || cue === 'declined') return 'ignore';
  return decision === 'ignore' ? 'wait' : decision;
};
