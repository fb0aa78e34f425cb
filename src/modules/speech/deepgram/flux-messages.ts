/** Messages of Deepgram's Flux: https://developers.deepgram.com/docs/flux/state */
const EVENTS = ['StartOfTurn', 'Update', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn'] as const;
export type FluxEvent = (typeof EVENTS)[number];

export type FluxMessage =
  | {
      kind: 'turn';
      event: FluxEvent;
      transcript: string;
      /** Seconds of the stream up to which it is, perhaps without the last words; null: unknown. */
      endsAt: number | null;
    }
  | { kind: 'error'; code: string };

/** Null for messages of other kinds and for unreadable ones. */
export function parseFlux(message: string): FluxMessage | null {
  try {
    const { type, event, transcript, code, audio_window_end } = JSON.parse(message) as Record<
      string,
      unknown
    >;
    if (type === 'Error')
      return { kind: 'error', code: typeof code === 'string' ? code.slice(0, 64) : 'unknown' };
    const known = EVENTS.find((name) => name === event);
    if (type !== 'TurnInfo' || known === undefined || typeof transcript !== 'string') return null;
    const endsAt = typeof audio_window_end === 'number' ? audio_window_end : null;
    return { kind: 'turn', event: known, transcript: transcript.trim(), endsAt };
  } catch {
    return null;
  }
}

export const FORCE_END_TURN = JSON.stringify({ type: 'ForceEndTurn' });
