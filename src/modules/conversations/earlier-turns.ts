import type { CallTurnView } from '../calls/call.view.js';
import type { ConversationPlan } from './conversation-plan.js';
import { heardWithin, msPerCharacter } from './engine/speech.js';

/** When no more than this is left of a greeting, a second of speech, it is not said again. */
const NEARLY_HEARD_CHARACTERS = 15;

/** Whether the greeting reached the customer: it was played, to its end or nearly so, or answered. */
export const greetingHeard = (turns: readonly CallTurnView[]): boolean =>
  turns.some(({ role, text, interrupted, timings: { played, heardTo } }) => {
    const isNearlyHeard = heardTo !== undefined && text.length - heardTo <= NEARLY_HEARD_CHARACTERS;
    return role === 'customer' || played !== undefined || (isNearlyHeard && !interrupted);
  });

/**
 * Whether turns were stored since the carrier got its last answer document: then its session goes on over a second
 * socket, and what it was sent is played to the end.
 */
export const isSameSession = (turns: readonly CallTurnView[], documentAt: number): boolean =>
  turns.some(({ timings }) => (timings['prompt'] ?? timings['textFirst'] ?? 0) >= documentAt);

const mayBePlaying = ({ role, interrupted, timings }: CallTurnView): boolean =>
  role === 'assistant' && !interrupted && timings['played'] === undefined;

/**
 * What was heard of turns whose process died while they were played: what was sent is played until the session ends,
 * and then the carrier asks for the next document.
 *
 * @returns one entry for each turn that is shorter than stored
 */
export function unheardEnds(
  turns: readonly CallTurnView[],
  { speechSpeed, documentAt }: { speechSpeed: number; documentAt: number },
): { seq: number; heard: string }[] {
  return turns
    .filter(mayBePlaying)
    .map(({ seq, text, timings }) => {
      const { textFirst = 0, playing = textFirst } = timings;
      const { heardTo } = timings;
      // Where everything that is heard is reported, nothing more is: the audio stops with the process.
      const heard =
        heardTo === undefined
          ? heardWithin(text, documentAt - playing, msPerCharacter(speechSpeed))
          : text.slice(0, heardTo).trim();
      return { seq, text, heard };
    })
    .filter(({ text, heard }) => heard !== text)
    .map(({ seq, heard }) => ({ seq, heard }));
}

/** What a session that goes on may still be playing: everything since the customer's last words. */
export function stillPlaying(turns: readonly CallTurnView[]): CallTurnView[] {
  const last = turns.findLastIndex(({ role }) => role === 'customer');
  return turns.slice(last + 1).filter(mayBePlaying);
}

/** Whether the last answer was sent in full. */
export function isAnswered(turns: readonly CallTurnView[]): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && !last.interrupted && last.timings['textLast'] !== undefined;
}

/** What was surely heard of a turn. */
const heardOf = ({ text, interrupted, timings }: CallTurnView): string =>
  interrupted || timings['played'] !== undefined ? text : text.slice(0, timings['heardTo'] ?? 0);

/** A notice that was heard before a session came to nothing is not said again. */
export function withoutSaidNotice(plan: ConversationPlan, turns: readonly CallTurnView[]): ConversationPlan {
  const { greeting, notice } = plan.settings;
  const wasSaid = notice && turns.some((turn) => turn.role === 'assistant' && heardOf(turn).includes(notice));
  if (!wasSaid) return plan;
  const isFirst = greeting?.startsWith(notice) ?? false;
  const rest = isFirst ? greeting?.slice(notice.length).trim() || null : greeting;
  return {
    ...plan,
    relay: { ...plan.relay, greeting: rest },
    settings: { ...plan.settings, greeting: rest, notice: null },
  };
}
