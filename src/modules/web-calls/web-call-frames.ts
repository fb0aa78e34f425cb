import type { AudioLineEvent } from '#src/modules/media/audio-line.js';
import type { CallSessionEvent } from '../telephony/call-session.js';
import { isDtmfKey, parseFrame, type SocketFrame } from '#src/modules/media/socket-frames.js';

/** The longest utterance, in characters; the rest is cut off. */
const MAX_TEXT = 2_000;

/** Frames of a browser on a text line. `bye`: the customer hangs up. */
export type TextBrowserEvent = CallSessionEvent | { kind: 'bye' };

/** The same on an audio line. `played`, `received`: the browser has audio up to this position, in bytes. */
export type AudioBrowserEvent =
  | Extract<AudioLineEvent, { kind: 'digit' | 'interrupted' | 'text' }>
  | { kind: 'played'; place: number }
  | { kind: 'received'; place: number }
  | { kind: 'bye' };

/**
 * One frame of a browser; null for an invalid frame (no JSON, unknown types, wrong values): no frame ends the line.
 */
export function parseBrowserFrame(text: string): TextBrowserEvent | null {
  const frame = parseFrame(text);
  switch (frame?.['type']) {
    case 'prompt':
      return { kind: 'utterance', text: words(frame['text']), final: frame['last'] !== false };
    case 'interrupt':
      return { kind: 'interrupted', heard: words(frame['heard']) };
    case 'played':
      return { kind: 'played', text: words(frame['text']) };
    case 'speaking':
      return speaking(frame);
    case 'digit':
      return isDtmfKey(frame['digit']) ? { kind: 'digit', digit: frame['digit'] } : null;
    case 'end':
      return { kind: 'bye' };
    default:
      return null;
  }
}

/** The same of a browser on an audio line. */
export function parseAudioFrame(text: string): AudioBrowserEvent | null {
  const frame = parseFrame(text);
  const { type, place } = frame ?? {};
  switch (type) {
    case 'played':
    case 'received':
      return isAudioPosition(place) ? { kind: type, place } : null;
    case 'prompt':
      return textEvent(words(frame?.['text']));
    case 'interrupt':
      return { kind: 'interrupted' };
    case 'digit':
      return isDtmfKey(frame?.['digit']) ? { kind: 'digit', digit: frame['digit'] } : null;
    case 'end':
      return { kind: 'bye' };
    default:
      return null;
  }
}

const textEvent = (text: string): AudioBrowserEvent | null =>
  text.trim() === '' ? null : { kind: 'text', text };

function speaking({ who, on }: SocketFrame): CallSessionEvent | null {
  if (typeof on !== 'boolean' || (who !== 'customer' && who !== 'assistant')) return null;
  return { kind: 'speaking', who, on };
}

const words = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : '';

const isAudioPosition = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
