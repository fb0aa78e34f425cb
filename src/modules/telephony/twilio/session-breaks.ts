import type { SessionResumption } from '../carrier-reports.js';

/** The carrier refuses an attribute of the document, such as the voice; it would refuse it again. */
const BAD_ATTRIBUTES = '64101';
/** More breaks than this within a minute: the next session would break, too. */
const MAX_BREAKS = 3;
const WINDOW_MS = 60_000;

/** How often a call's relay sessions broke. It is part of the action URL, so every process knows it. */
export interface SessionBreaks {
  /** Milliseconds since the epoch; the breaks of the last minute. */
  resumedAt: readonly number[];
  defaultVoice: boolean;
}

export const NO_SESSION_BREAKS: SessionBreaks = { resumedAt: [], defaultVoice: false };

export function toSessionBreaksQuery({ resumedAt, defaultVoice }: SessionBreaks): string {
  const parts = [
    ...(resumedAt.length > 0 ? [`resumed=${resumedAt.join(',')}`] : []),
    ...(defaultVoice ? ['voice=default'] : []),
  ];
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** The query is signed by the carrier, as the rest of the URL is. */
export function parseSessionBreaks({ resumed, voice }: { resumed?: string; voice?: string }): SessionBreaks {
  const times = String(resumed ?? '')
    .split(',')
    .map(Number);
  return {
    resumedAt: times.filter((at) => Number.isFinite(at) && at > 0),
    defaultVoice: voice === 'default',
  };
}

/** The breaks after one more session broke with this error. */
export function addSessionBreak(
  earlier: SessionBreaks,
  errorCode: string | undefined,
  now: number,
): { breaks: SessionBreaks; resumption: SessionResumption } {
  const recent = earlier.resumedAt.filter((at) => now - at < WINDOW_MS);
  const refused = errorCode === BAD_ATTRIBUTES;
  const isOver = recent.length >= MAX_BREAKS || (refused && earlier.defaultVoice);
  const defaultVoice = earlier.defaultVoice || refused;
  return { breaks: { resumedAt: [...recent, now], defaultVoice }, resumption: { defaultVoice, isOver } };
}

/** The session that follows does so by intent: it has a document of its own, and nothing broke. */
export const sessionBreaksAfterTransfer = ({ defaultVoice }: SessionBreaks, now: number): SessionBreaks => ({
  resumedAt: [now],
  defaultVoice,
});

const ACTION = /\/telephony\/action\/([^/?#]+)/;
const TRANSFER = /\/telephony\/transfer\/([^/?#]+)\/(\d{1,9})/;

/** The carrier requests the fallback URL because the action URL, which it sends, failed. Null: another URL failed. */
export function readFailedAction(
  errorUrl: string | undefined,
): { token: string; earlier: SessionBreaks } | null {
  const token = ACTION.exec(errorUrl ?? '')?.[1];
  if (token === undefined || !URL.canParse(errorUrl ?? '')) return null;
  const query = Object.fromEntries(new URL(errorUrl ?? '').searchParams);
  return { token: decodeURIComponent(token), earlier: parseSessionBreaks(query) };
}

/** The same for the URL that is requested at the end of a transfer. */
export function readFailedTransfer(
  errorUrl: string | undefined,
): { token: string; transfer: number; earlier: SessionBreaks } | null {
  const [, token, transfer] = TRANSFER.exec(errorUrl ?? '') ?? [];
  if (token === undefined || !URL.canParse(errorUrl ?? '')) return null;
  const query = Object.fromEntries(new URL(errorUrl ?? '').searchParams);
  return { token: decodeURIComponent(token), transfer: Number(transfer), earlier: parseSessionBreaks(query) };
}

/** The carrier requests the fallback URL because its report of the spoken text got no response. */
export const isSpokenReport = (errorUrl: string | undefined): boolean =>
  /\/telephony\/spoken\//.test(errorUrl ?? '');
