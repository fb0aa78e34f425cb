import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  numberForms,
  PERSONAL_DATA_BATCH,
  type Person,
  type PersonalDataCounts,
} from '#src/common/personal-data.js';

/** A conversation of the person that has ended. */
export interface PersonalChat {
  id: number;
  uuid: string;
}

/**
 * SQL condition for conversations of an account ($1) that a client holds with the number ($2, as clients write it), or
 * that have a variable that is the number. What is erased is none of them any more.
 */
const OF_PERSON = `account_id = $1 AND (external_identifier = ANY($2) OR EXISTS (
  SELECT FROM jsonb_each_text(variables) AS variable WHERE variable.value = ANY($2)))`;

const IS_OVER = `state = 'ended' AND end_due_at IS NULL AND turn_due_at IS NULL`;

/** Erases what text conversations have of a person; their rows and costs stay for the accounts. */
@Injectable()
export class ChatsPersonalDataService {
  constructor(private readonly db: DataSource) {}

  /**
   * Ends the person's conversations, without an evaluation and without an event. One whose answer is being made ends
   * when it was given. @returns whether one goes on
   */
  async endRunning(person: Person): Promise<boolean> {
    await this.db.query(
      `UPDATE chats SET state = 'ended', ended_reason = coalesce(ended_reason, 'ended_by_user'),
              ended_at = coalesce(ended_at, now()), end_due_at = NULL, end_claims = end_claims + 1
        WHERE ${OF_PERSON} AND NOT (${IS_OVER}) AND asked_seq = answered_seq AND turn_due_at IS NULL`,
      valuesOf(person),
    );
    const left: unknown[] = await this.db.query(
      `SELECT 1 FROM chats WHERE ${OF_PERSON} AND NOT (${IS_OVER}) LIMIT 1`,
      valuesOf(person),
    );
    return left.length > 0;
  }

  findEnded(person: Person): Promise<PersonalChat[]> {
    return this.db.query(
      `SELECT id, uuid FROM chats WHERE ${OF_PERSON} AND ${IS_OVER} ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
      valuesOf(person),
    );
  }

  /** With their messages, for the archive; names are those of the columns. */
  async *read(person: Person): AsyncGenerator<{ id: number; messages: object[] } & Record<string, unknown>> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const chats: { id: number; messages: object[] }[] = await this.db.query(
        `SELECT id, uuid, type, state, assistant_id, assistant_name, variables, external_identifier, evaluation,
                evaluation_error, created_at, ended_at, ended_reason,
                coalesce((SELECT json_agg(json_build_object('seq', seq, 'message', message, 'answer', answer,
                    'function_calls', function_calls, 'created_at', created_at) ORDER BY seq)
                  FROM chat_turns turn WHERE turn.chat_id = chats.id), '[]') AS messages
           FROM chats WHERE ${OF_PERSON} AND id > $3 ORDER BY id LIMIT ${PERSONAL_DATA_BATCH}`,
        [...valuesOf(person), last],
      );
      yield* chats as ({ id: number; messages: object[] } & Record<string, unknown>)[];
      last = chats.at(-1)?.id;
    }
  }

  async erase(tx: EntityManager, ids: readonly number[]): Promise<PersonalDataCounts> {
    const [, turns] = (await tx.query(
      `UPDATE chat_turns SET message = left(message, 0), answer = left(answer, 0), function_calls = '[]', request_key = NULL
        WHERE chat_id = ANY($1)`,
      [ids],
    )) as [unknown[], number];
    const [, chats] = (await tx.query(
      `UPDATE chats SET external_identifier = NULL, variables = '{}', visitor_variables = '{}', evaluation = '{}',
              evaluation_error = NULL, request_key = NULL, request_hash = NULL, updated_at = now()
        WHERE id = ANY($1)`,
      [ids],
    )) as [unknown[], number];
    return { conversations: chats, conversation_messages: turns };
  }
}

const valuesOf = (person: Person): unknown[] => [person.accountId, numberForms(person)];
