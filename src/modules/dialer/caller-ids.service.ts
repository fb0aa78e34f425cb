import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { callingCodeOf, countryOf } from '#src/common/phone/phone.js';
import type { AssistantView } from '../assistants/assistant-view.js';

/** A number to call from. */
interface CallerNumber {
  /** E.164 */
  phoneNumber: string;
  /** Outbound calls from it since midnight UTC. */
  used: number;
  /** Those of the numbers to call that were called from it last. */
  lastCalled: string[];
}

/** Numbers to call for one campaign. */
export interface CallerIdQuery {
  assistant: Pick<AssistantView, 'accountId' | 'phoneNumberId'>;
  /** The campaign's numbers; empty: it names none. */
  phoneNumberIds: readonly number[];
  /** To call, E.164. */
  numbers: readonly string[];
}

/** Leading digits of a national number that are its area. */
const AREA_DIGITS = 3;

const CALLERS_SQL = `
    SELECT asked.position, caller.*
      FROM jsonb_to_recordset($1) AS asked (position int, account int, ids int[], own int, numbers text[]), LATERAL (
      WITH active AS MATERIALIZED (
        SELECT id, phone_number FROM active_phone_numbers
         WHERE account_id = asked.account
           AND (cardinality(asked.ids) = 0 OR id = ANY(asked.ids))
         ORDER BY (id = asked.own) IS TRUE DESC, created_at, id
         LIMIT CASE WHEN cardinality(asked.ids) = 0 THEN 1 END),
      several AS MATERIALIZED (SELECT count(*) > 1 AS exist FROM active),
      last AS MATERIALIZED (
        SELECT given.number, call.assistant_phone_number FROM several, unnest(asked.numbers) AS given (number)
         CROSS JOIN LATERAL (
           SELECT assistant_phone_number FROM outbound_calls
            WHERE account_id = asked.account AND client_phone_number = given.number
              AND carrier_sid IS NOT NULL AND assistant_phone_number IN (SELECT phone_number FROM active)
            ORDER BY created_at DESC LIMIT 1) call
         WHERE several.exist)
      SELECT id, phone_number AS "phoneNumber", ARRAY(
               SELECT number FROM last WHERE last.assistant_phone_number = active.phone_number) AS "lastCalled",
             CASE WHEN several.exist THEN (
               SELECT count(*)::int FROM outbound_calls
                WHERE account_id = asked.account AND assistant_phone_number = active.phone_number
                  AND created_at >= date_trunc('day', now(), 'UTC')) ELSE 0 END AS used
        FROM active, several) caller
     ORDER BY asked.position, caller.id`;

/** Selects the numbers that calls are made from. */
@Injectable()
export class CallerIdsService {
  /**
   * For each of the numbers to call the number to call it from: of the campaign's active ones the same as last time,
   * else one of the same area, else of the same country, of these the least used today. Without numbers of the campaign
   * the assistant's, else the account's oldest active one. One query for all campaigns.
   *
   * @returns in their order; null: none of the campaign's numbers is active, or, where it names none, none of the
   * account's
   */
  async findCallerIds(
    campaigns: readonly CallerIdQuery[],
    tx: EntityManager,
  ): Promise<(Map<string, string> | null)[]> {
    const asked = campaigns.map(({ assistant, phoneNumberIds, numbers }, position) => ({
      position,
      account: assistant.accountId,
      ids: phoneNumberIds,
      own: assistant.phoneNumberId,
      numbers,
    }));
    const callers: (CallerNumber & { position: number })[] = await tx.query(CALLERS_SQL, [
      JSON.stringify(asked),
    ]);
    return campaigns.map(({ numbers }, position) => {
      const own = callers.filter((caller) => caller.position === position);
      return own.length === 0 ? null : assignCallers(own, numbers);
    });
  }
}

/** The calls that are assigned count as used for those behind them. @param callers at least one */
export function assignCallers(
  callers: readonly CallerNumber[],
  numbers: readonly string[],
): Map<string, string> {
  const candidates = callers.map((caller) => ({ ...caller, place: numberAreaOf(caller.phoneNumber) }));
  const assigned = new Map<string, string>();
  for (const number of numbers) {
    const area = numberAreaOf(number);
    const ranked = candidates.map((caller) => ({
      caller,
      near: caller.lastCalled.includes(number) ? 3 : closeness(caller.place, area),
    }));
    const [best] = ranked.sort((one, other) => other.near - one.near || one.caller.used - other.caller.used);
    if (!best) break;
    assigned.set(number, best.caller.phoneNumber);
    best.caller.used++;
  }
  return assigned;
}

interface NumberArea {
  /** Calling code with the digits of the area. */
  area: string | null;
  /** ISO 3166; null for numbers that belong to none. */
  country: string | null;
}

function numberAreaOf(e164: string): NumberArea {
  const code = callingCodeOf(e164);
  return {
    area: code && e164.slice(0, '+'.length + code.length + AREA_DIGITS),
    country: countryOf(e164),
  };
}

/** 2: the same area, 1: the same country, 0: neither. */
function closeness(one: NumberArea, other: NumberArea): 0 | 1 | 2 {
  if (one.area !== null && one.area === other.area) return 2;
  return one.country !== null && one.country === other.country ? 1 : 0;
}
