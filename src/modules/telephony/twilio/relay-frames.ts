import type { CallSessionEvent } from '../call-session.js';
import { isDtmfKey, parseFrame, type SocketFrame } from '#src/modules/media/socket-frames.js';

/**
 * One frame of the carrier as an event of the session; null for a frame without an event (`setup`, what
 * is not JSON, unknown types): no frame ever ends the session.
 */
export function parseRelayFrame(text: string): CallSessionEvent | null {
  const frame = parseFrame(text);
  switch (frame?.['type']) {
    case 'prompt':
      return { kind: 'utterance', text: string(frame['voicePrompt']), final: frame['last'] !== false };
    case 'interrupt':
      return { kind: 'interrupted', heard: string(frame['utteranceUntilInterrupt']) };
    case 'dtmf':
      return isDtmfKey(frame['digit']) ? { kind: 'digit', digit: frame['digit'] } : null;
    case 'info':
      return info(frame);
    case 'error':
      return { kind: 'failed', reason: string(frame['description']) };
    default:
      return null;
  }
}

/** Undocumented frames: used in the known form, never required. */
function info({ name, value }: SocketFrame): CallSessionEvent | null {
  if (name === 'tokensPlayed') return typeof value === 'string' ? { kind: 'played', text: value } : null;
  if (value !== 'on' && value !== 'off') return null;
  if (name === 'agentSpeaking') return { kind: 'speaking', who: 'assistant', on: value === 'on' };
  if (name === 'clientSpeaking') return { kind: 'speaking', who: 'customer', on: value === 'on' };
  return null;
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');
