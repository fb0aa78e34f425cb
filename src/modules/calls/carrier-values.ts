import { LIMIT_GRACE_SECONDS } from '../accounts/call-budget.js';
import type { Call } from './entities/call.entity.js';

/**
 * Seconds from answer to end, which are charged. The carrier's figure is taken up to what has passed since the
 * answer and up to the call's limit; without one, what has passed. A call that nobody answered lasted 0 seconds.
 */
export function callDuration(
  { answeredAt, maxDuration }: Pick<Call, 'answeredAt' | 'maxDuration'>,
  endedAt: Date,
  reportedSeconds: number | undefined,
): number {
  if (answeredAt === null) return 0;
  const passedSeconds = Math.max(0, Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1000));
  return Math.min(reportedSeconds ?? passedSeconds, passedSeconds, maxDuration + LIMIT_GRACE_SECONDS);
}

const MAX_LENGTH = 2048;

/** Whether this may be stored as a recording's address: it is shown to users and told to webhooks. */
export const isRecordingUrl = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
