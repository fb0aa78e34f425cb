import { canonicalZone, toDateTime } from '#src/common/time/time.js';
import { zonedTime } from '#src/common/time/zoned-time.js';

/** What an assistant did in a call beside talking and handing it over. */
export const CALL_ACTIONS = ['screening', 'keys', 'language', 'callback', 'voicemail'] as const;
export type CallActionType = (typeof CALL_ACTIONS)[number];

/** Name of the entry among a call's turns that tells what became of an answering machine. */
export const VOICEMAIL_TOOL = 'voicemail';

/**
 * What became of a call with an answering machine. `message`: the message is spoken to it. `hung_up`: the service hung
 * up. `waited`: neither, until the machine or a limit ended the call.
 */
export type VoicemailOutcome = 'message' | 'hung_up' | 'waited';

export interface CallAction {
  type: CallActionType;
  status: 'ok' | 'failed';
  /** The digits, the language, the time or the outcome. */
  detail: string;
  at: Date;
}

/** The actions by the names of their tool runs. The database's function `action_detail` decides which runs they are. */
export const ACTION_TYPES: Readonly<Record<string, CallActionType>> = {
  call_screening: 'screening',
  send_digits: 'keys',
  switch_language: 'language',
  schedule_callback: 'callback',
  [VOICEMAIL_TOOL]: 'voicemail',
};

/** A menu without a way out may have many. */
const MAX_ACTIONS = 50;

/** SQL of the tool runs of a call that are actions, as JSON. */
export const sqlOfActionRuns = (callId: string): string => `(
  SELECT coalesce(json_agg(action ORDER BY seq), '[]') FROM (
    SELECT seq, tool_name AS "toolName", action_detail(run) AS detail, arguments ->> 'timezone' AS timezone, ok,
           created_at AS at
      FROM call_tool_runs run WHERE call_id = ${callId} AND action_detail(run) IS NOT NULL
     ORDER BY seq LIMIT ${MAX_ACTIONS}) AS action)`;

/** As `sqlOfActionRuns` reads it. */
export interface StoredActionRun {
  toolName: string;
  detail: string;
  timezone: string | null;
  ok: boolean;
  at: string;
}

/** In order. */
export const actionsIn = (runs: readonly StoredActionRun[]): CallAction[] =>
  runs.flatMap(({ toolName, detail, timezone, ok, at }) => {
    const type = ACTION_TYPES[toolName];
    if (!type) return [];
    const shown = type === 'callback' ? callbackTime(detail, timezone) : detail;
    return [{ type, status: ok ? 'ok' : 'failed', detail: shown.slice(0, LONGEST_DETAIL), at: new Date(at) }];
  });

/** The model may have written anything. */
const LONGEST_DETAIL = 100;

/** In UTC; as the model wrote it when that is no time. */
function callbackTime(local: string, timezone: string | null): string {
  const zone = canonicalZone(String(timezone));
  const at = zone === null ? null : zonedTime(local, zone);
  return at === null ? local : toDateTime(at);
}
