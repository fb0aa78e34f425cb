import type { EntityManager } from 'typeorm';
import { IdempotencyKeyReused } from '#src/http/idempotency/idempotency.service.js';
import type { ChatTurn } from './entities/chat.entities.js';

/** Messages of one chat that wait for an answer at once. */
export const MAX_WAITING = 5;
/** How long a message with the same words counts as its repetition when its answer did not reach the client. */
const REPEATED_SECONDS = 60;

export interface StoredMessage {
  seq: number;
  /** An earlier equal request got its response. */
  isRepeated: boolean;
}

/** A turn before a message, as it is stored. */
export type EarlierTurn = Pick<ChatTurn, 'seq' | 'message' | 'answer'>;

/** The last turns before one, the oldest first: one more than can wait for an answer. */
export const turnsBefore = (
  tx: EntityManager,
  { chatId, seq }: Pick<ChatTurn, 'chatId' | 'seq'>,
): Promise<EarlierTurn[]> =>
  tx.query(
    `SELECT seq, message, answer FROM chat_turns
      WHERE chat_id = $1 AND seq < $2::int AND seq >= $2::int - ${MAX_WAITING + 1} ORDER BY seq`,
    [chatId, seq],
  );

/**
 * The message that a request repeats, under the lock of the chat. Without a key none whose number is hidden by what was
 * said before it: the next part of the number would be its repetition.
 * @throws IdempotencyKeyReused
 */
export async function knownTurn(
  tx: EntityManager,
  chatId: number,
  lastSeq: number,
  { toStored, key }: { toStored: (before: readonly EarlierTurn[]) => string; key: string | null },
): Promise<StoredMessage | null> {
  const [turn] = (await tx.query(
    key === null
      ? `SELECT seq, message, answered_at IS NOT NULL AS answered FROM chat_turns
          WHERE chat_id = $1 AND seq = $2::int AND message = $3 AND request_key IS NULL AND delivered_at IS NULL
            AND (answered_at IS NULL OR answered_at > now() - make_interval(secs => ${REPEATED_SECONDS}))`
      : `SELECT seq, message, answered_at IS NOT NULL AS answered FROM chat_turns
          WHERE chat_id = $1 AND seq <= $2::int AND request_key = $3 LIMIT 1`,
    [chatId, lastSeq, key ?? toStored([])],
  )) as { seq: number; message: string; answered: boolean }[];
  if (!turn) return null;
  if (key !== null) {
    const before = await turnsBefore(tx, { chatId, seq: turn.seq });
    if (!contextsOf(before).some((context) => toStored(context) === turn.message))
      throw new IdempotencyKeyReused();
  }
  return { seq: turn.seq, isRepeated: turn.answered };
}

/** The turns as they may have been when the message after them came: the last ones had no answer yet. */
const contextsOf = (before: readonly EarlierTurn[]): EarlierTurn[][] =>
  Array.from({ length: MAX_WAITING + 1 }, (_, waiting) =>
    before.map((turn, index) => (index < before.length - waiting ? turn : { ...turn, answer: null })),
  );
