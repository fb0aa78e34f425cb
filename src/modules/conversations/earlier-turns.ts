import type { CallTurnView } from '../calls/call.view.js';
import type { ConversationPlan } from './conversation-plan.js';
import { msPerCharacter } from '../speech/speech-length.js';
import { estimateHeardText } from './engine/speech.js';

/** Rest of a greeting, about a second of speech, up to which it is not repeated. */
const NEARLY_HEARD_CHARACTERS = 15;

/** Whether the customer heard the greeting: it was played, nearly to its end at least, or the customer spoke. */
export const isGreetingHeard = (turns: readonly CallTurnView[]): boolean =>
  turns.some(({ role, text, interrupted, timings: { played, heardTo } }) => {
    const isNearlyHeard = heardTo !== undefined && text.length - heardTo <= NEARLY_HEARD_CHARACTERS;
    return role === 'customer' || played !== undefined || (isNearlyHeard && !interrupted);
  });

/**
 * Whether turns were stored since the last call instructions: then the carrier's session continues over a second socket,
 * and the sent speech is played to the end.
 */
export const isSameSession = (turns: readonly CallTurnView[], documentAt: number): boolean =>
  turns.some(({ timings }) => (timings['prompt'] ?? timings['textFirst'] ?? 0) >= documentAt);

const mayBePlaying = ({ role, interrupted, timings }: CallTurnView): boolean =>
  role === 'assistant' && !interrupted && timings['played'] === undefined;

/**
 * The heard part of turns that were playing when their process ended: sent speech is played until the session ends, and
 * then the carrier requests the next document.
 *
 * @returns one entry for each turn that was heard in part
 */
export function findTruncatedTurns(
  turns: readonly CallTurnView[],
  { speechSpeed, documentAt }: { speechSpeed: number; documentAt: number },
): { seq: number; heard: string }[] {
  return turns
    .filter(mayBePlaying)
    .map(({ seq, text, timings }) => {
      const { textFirst = 0, playing = textFirst } = timings;
      const { heardTo } = timings;
      // With exact reports the audio stopped with the process.
      const heard =
        heardTo === undefined
          ? estimateHeardText(text, documentAt - playing, msPerCharacter(text, speechSpeed))
          : text.slice(0, heardTo).trim();
      return { seq, text, heard };
    })
    .filter(({ text, heard }) => heard !== text)
    .map(({ seq, heard }) => ({ seq, heard }));
}

/** Turns that a continued session may still be playing: all since the customer's last words. */
export function findPlayingTurns(turns: readonly CallTurnView[]): CallTurnView[] {
  const last = turns.findLastIndex(({ role }) => role === 'customer');
  return turns.slice(last + 1).filter(mayBePlaying);
}

/** Whether the last response was sent in full, after the last tool run. @param lastRun its `seq`; 0 for none */
export function isAnswered(turns: readonly CallTurnView[], lastRun: number): boolean {
  const last = turns.findLast(({ kind }) => kind === 'speech');
  if (last?.role !== 'assistant' || last.seq < lastRun) return false;
  return !last.interrupted && last.timings['textLast'] !== undefined;
}

/** The reported heard part of a turn. */
const heardText = ({ text, interrupted, timings }: CallTurnView): string =>
  interrupted || timings['played'] !== undefined ? text : text.slice(0, timings['heardTo'] ?? 0);

/** A notice that was heard before a failed session is not repeated. */
export function omitHeardNotice(plan: ConversationPlan, turns: readonly CallTurnView[]): ConversationPlan {
  const { greeting, notice } = plan.settings;
  const wasHeard =
    notice && turns.some((turn) => turn.role === 'assistant' && heardText(turn).includes(notice));
  if (!wasHeard) return plan;
  const isFirst = greeting?.startsWith(notice) ?? false;
  const rest = isFirst ? greeting?.slice(notice.length).trim() || null : greeting;
  return {
    ...plan,
    relay: { ...plan.relay, greeting: rest },
    settings: { ...plan.settings, greeting: rest, notice: null },
  };
}
