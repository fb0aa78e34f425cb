/** Messages of Deepgram's streaming transcription, as far as they matter: https://developers.deepgram.com/reference */
export interface DeepgramTranscript {
  text: string;
  /** This part of the utterance no longer changes. */
  isFinal: boolean;
  /** The utterance has ended, by silence. */
  endsUtterance: boolean;
  /** The answer to `Finalize`. */
  isFinalized: boolean;
  /** Seconds of the stream up to which it is; null: unknown. */
  endsAt: number | null;
}

/** Null for messages of other kinds and for unreadable ones. */
export function parseTranscript(message: string): DeepgramTranscript | null {
  try {
    const { type, channel, is_final, speech_final, from_finalize, start, duration } = JSON.parse(
      message,
    ) as Record<string, unknown>;
    if (type !== 'Results') return null;
    const text = (channel as { alternatives?: { transcript?: unknown }[] } | undefined)?.alternatives?.[0]
      ?.transcript;
    return {
      text: typeof text === 'string' ? text.trim() : '',
      isFinal: is_final === true,
      endsUtterance: speech_final === true,
      isFinalized: from_finalize === true,
      endsAt: typeof start === 'number' && typeof duration === 'number' ? start + duration : null,
    };
  } catch {
    return null;
  }
}

export const KEEP_ALIVE = JSON.stringify({ type: 'KeepAlive' });
export const FINALIZE = JSON.stringify({ type: 'Finalize' });
export const CLOSE_STREAM = JSON.stringify({ type: 'CloseStream' });
