import type { Turn } from './use-call';

/** A customer's turn is recorded at its end: so long before it the recording starts to play it. */
const SPOKEN_MS = 3_000;

/** When the turn began to be heard, in milliseconds since the epoch; null: not known. */
export function startOf(turn: Turn, before: Turn | undefined): number | null {
  const { timings } = turn;
  if (!timings) return null;
  if (turn.role === 'assistant') return timings.playing ?? timings.text_first;
  if (timings.prompt === null) return null;
  const silentFrom = before?.timings?.interrupted ?? before?.timings?.played ?? 0;
  return Math.max(silentFrom, timings.prompt - SPOKEN_MS);
}

/**
 * Seconds from the call's begin for each turn. The first turn begins it, unless the call was answered before.
 *
 * @param answeredAt estimate from a whole second, which may be later than the first turn; null: not known
 */
export function offsetsOf(turns: Turn[], answeredAt: number | null): (number | null)[] {
  let before: Turn | undefined;
  const starts = turns.map((turn) => {
    const start = startOf(turn, before);
    if (turn.role !== 'tool') before = turn;
    return start;
  });
  // The customer's starts are estimates.
  const played = starts.filter(
    (start, at): start is number => start !== null && turns[at]?.role === 'assistant',
  );
  const first = Math.min(answeredAt ?? starts.find((start) => start !== null) ?? 0, ...played);
  return starts.map((start) => (start === null ? null : Math.max(0, (start - first) / 1000)));
}

/** Milliseconds from the customer's last word to the first one that was heard of the answer. */
export const responsesOf = (turns: Turn[]): number[] =>
  turns.flatMap(({ latencies }) => (latencies?.playing == null ? [] : [latencies.playing]));

export function medianOf(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
