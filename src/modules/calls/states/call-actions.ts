import { canonicalZone, toDateTime } from '#src/common/time/time.js';
import { zonedTime } from '#src/common/time/zoned-time.js';

/** Actions of an assistant in a call besides speech and transfers. */
export const CALL_ACTIONS = ['screening', 'keys', 'language', 'callback', 'voicemail'] as const;
export type CallActionType = (typeof CALL_ACTIONS)[number];

/** Tool name of the entry with the outcome of an answering machine. */
export const VOICEMAIL_TOOL = 'voicemail';

/**
 * Outcome of a call with an answering machine. `message`: the message was spoken. `hung_up`: the service hung up.
 * `waited`: neither, until the machine or a limit ended the call.
 */
export type VoicemailOutcome = 'message' | 'hung_up' | 'waited';

export interface CallAction {
  type: CallActionType;
  status: 'ok' | 'failed';
  /** The digits, the language, the time or the outcome. */
  detail: string;
  at: Date;
}

/** Actions by the names of their tool runs. The SQL function `action_detail` decides which runs are actions. */
export const ACTION_BY_TOOL: Readonly<Record<string, CallActionType>> = {
  call_screening: 'screening',
  send_digits: 'keys',
  switch_language: 'language',
  schedule_callback: 'callback',
  [VOICEMAIL_TOOL]: 'voicemail',
};

/** Maximum per call; an endless menu may cause many. */
const MAX_ACTIONS = 50;

/** SQL of the tool runs of a call that are actions, as JSON. */
export const actionRunsSql = (callId: string): string => `(
  SELECT coalesce(json_agg(action ORDER BY seq), '[]') FROM (
    SELECT seq, tool_name AS "toolName", action_detail(run) AS detail, arguments ->> 'timezone' AS timezone, ok,
           created_at AS at
      FROM call_tool_runs run WHERE call_id = ${callId} AND action_detail(run) IS NOT NULL
     ORDER BY seq LIMIT ${MAX_ACTIONS}) AS action)`;

/** A row of `actionRunsSql`. */
export interface StoredActionRun {
  toolName: string;
  detail: string;
  timezone: string | null;
  ok: boolean;
  at: string;
}

/** In order. */
export const toActions = (runs: readonly StoredActionRun[]): CallAction[] =>
  runs.flatMap(({ toolName, detail, timezone, ok, at }) => {
    const type = ACTION_BY_TOOL[toolName];
    if (!type) return [];
    const shown = type === 'callback' ? callbackTime(detail, timezone) : detail;
    return [
      { type, status: ok ? 'ok' : 'failed', detail: shown.slice(0, MAX_DETAIL_CHARACTERS), at: new Date(at) },
    ];
  });

/** The model may have written anything. */
const MAX_DETAIL_CHARACTERS = 100;

/** In UTC; invalid times as the model wrote them. */
function callbackTime(local: string, timezone: string | null): string {
  const zone = canonicalZone(String(timezone));
  const at = zone === null ? null : zonedTime(local, zone);
  return at === null ? local : toDateTime(at);
}
