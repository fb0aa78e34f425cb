import type { Interruptible, TurnOptions } from './playback.js';

/** A frame that the service sends over a ConversationRelay socket. */
export type RelayFrame =
  | { type: 'text'; token: string; last: boolean; interruptible?: Interruptible; preemptible?: boolean }
  | { type: 'play'; source: string }
  | { type: 'sendDigits'; digits: string }
  | { type: 'language'; ttsLanguage: string | null; transcriptionLanguage: string | null }
  | { type: 'end'; handoffData: string | null };

/** Null for an invalid frame. */
export function parseFrame(data: string): RelayFrame | null {
  let frame: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null) return null;
    frame = parsed as Record<string, unknown>;
  } catch {
    return null;
  }
  switch (frame['type']) {
    case 'text':
      return typeof frame['token'] === 'string' ? textFrame(frame, frame['token']) : null;
    case 'play':
      return typeof frame['source'] === 'string' ? { type: 'play', source: frame['source'] } : null;
    case 'sendDigits':
      return isDigits(frame['digits']) ? { type: 'sendDigits', digits: frame['digits'] } : null;
    case 'language':
      return languageFrame(frame);
    case 'end':
      return { type: 'end', handoffData: handoffData(frame['handoffData']) };
    default:
      return null;
  }
}

/** Keys, and pauses of half a second (`w`) or a second (`W`). */
const isDigits = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-D*#wW]+$/.test(value);

/** Each of the two is optional, but one is required. */
function languageFrame({ ttsLanguage = null, transcriptionLanguage = null }: Record<string, unknown>) {
  if (ttsLanguage === null && transcriptionLanguage === null) return null;
  if (ttsLanguage !== null && typeof ttsLanguage !== 'string') return null;
  if (transcriptionLanguage !== null && typeof transcriptionLanguage !== 'string') return null;
  return { type: 'language' as const, ttsLanguage, transcriptionLanguage };
}

function textFrame(frame: Record<string, unknown>, token: string): RelayFrame {
  const { interruptible, preemptible } = frame;
  return {
    type: 'text',
    token,
    last: frame['last'] === true,
    ...(interruptible !== undefined && { interruptible: interruptibleOf(interruptible) }),
    ...(preemptible !== undefined && { preemptible: isTrue(preemptible) }),
  };
}

/** The noun's attributes are the defaults of a text frame. */
export function turnDefaults(attributes: Record<string, string>): TurnOptions {
  return {
    interruptible: interruptibleOf(attributes['interruptible'] ?? 'any'),
    preemptible: isTrue(attributes['preemptible']),
  };
}

/** `none | dtmf | speech | any`; true and false are the older spelling of `any` and `none`. */
export function interruptibleOf(value: unknown): Interruptible {
  const text = String(value).toLowerCase();
  if (text === 'none' || text === 'false') return 'none';
  return text === 'dtmf' || text === 'speech' ? text : 'any';
}

export function isTrue(value: unknown): boolean {
  return String(value).toLowerCase() === 'true';
}

function handoffData(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
