import { until } from '../support/until.js';
import type { TestAccount } from './account.js';

/** Callees of the sandbox by behaviour. */
export const HANGS_UP = '+15005550023';
export const BUSY = '+15005550003';
/** One of a hundred who say nothing and stay on the line. */
export const aSilentNumber = (index: number): string => `+150055555${String(index % 100).padStart(2, '0')}`;

export interface CallRecord {
  id: number;
  status: string;
  webhook_response: Record<string, unknown>;
}

/** Places a call through the API. */
export async function aCall(
  { client }: TestAccount,
  assistantId: number,
  { phoneNumber = HANGS_UP, variables = {} } = {},
): Promise<number> {
  const { status, text, body } = await client.post<{ call_id: number }>('/user/make_call', {
    assistant_id: assistantId,
    phone_number: phoneNumber,
    variables,
  });
  if (status !== 200) throw new Error(`the call was not placed: ${status} ${text}`);
  return body.call_id;
}

/** Waits until the call matches. */
export const callWhen = (
  { client }: TestAccount,
  id: number,
  wanted: (call: CallRecord) => boolean,
): Promise<CallRecord> =>
  until(async () => {
    const { body } = await client.get<CallRecord>(`/user/calls/${id}`);
    return wanted(body) ? body : null;
  });

export interface TurnRecord {
  role: string;
  text: string;
}

/** Waits until the turns of the call match. */
export const turnsWhen = (
  { client }: TestAccount,
  id: number,
  wanted: (turns: TurnRecord[]) => boolean,
): Promise<TurnRecord[]> =>
  until(async () => {
    const { body } = await client.get<{ data: { turns: TurnRecord[] } }>(`/user/calls/${id}/turns`);
    return wanted(body.data.turns) ? body.data.turns : null;
  });
