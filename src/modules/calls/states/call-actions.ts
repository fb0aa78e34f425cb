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

/** What is stored of the use of a tool, as far as it tells of an action. */
export interface ActionRun {
  toolName: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  statusCode: number | null;
}

/**
 * The actions by the names of their tool runs. A run without the argument has done nothing. The database's function
 * `is_action` counts the same; a migration replaces it when one is added.
 */
export const ACTION_TOOLS: Readonly<Record<string, { type: CallActionType; argument: string }>> = {
  call_screening: { type: 'screening', argument: 'step' },
  send_digits: { type: 'keys', argument: 'digits' },
  switch_language: { type: 'language', argument: 'language' },
  schedule_callback: { type: 'callback', argument: 'local_time' },
  [VOICEMAIL_TOOL]: { type: 'voicemail', argument: 'outcome' },
};

/** The argument that an action has, by the name of its tool; JSON. */
export const ACTION_KEYS = JSON.stringify(
  Object.fromEntries(Object.entries(ACTION_TOOLS).map(([name, { argument }]) => [name, argument])),
);

/** SQL of whether a tool run `run` is one that `actionOf` takes for an action. @param keys SQL of `ACTION_KEYS` */
export const sqlOfAction = (keys: string): string =>
  `run.status_code IS NULL AND jsonb_typeof(run.arguments -> (${keys}::jsonb ->> run.tool_name)) = 'string'`;

/** A menu without a way out may have many. */
const MAX_ACTIONS = 50;

/** SQL of the tool runs of a call that `actionsIn` takes for its actions, as JSON. @param keys SQL of `ACTION_KEYS` */
export const sqlOfActionRuns = (callId: string, keys: string): string => `(
  SELECT coalesce(json_agg(run ORDER BY seq), '[]') FROM (
    SELECT seq, tool_name AS "toolName", arguments, ok, created_at AS at FROM call_tool_runs run
     WHERE call_id = ${callId} AND ${sqlOfAction(keys)} ORDER BY seq LIMIT ${MAX_ACTIONS}) AS run)`;

/** As `sqlOfActionRuns` reads it. */
export type StoredActionRun = Omit<ActionRun, 'statusCode'> & { at: string };

/** In order. */
export const actionsIn = (runs: readonly StoredActionRun[]): CallAction[] =>
  runs.flatMap((run) => {
    const action = actionOf({ ...run, statusCode: null });
    return action ? [{ ...action, at: new Date(run.at) }] : [];
  });

/** @returns null: not an action. A user's tool may have the name of a function, but its endpoint answers. */
export function actionOf(run: ActionRun): Omit<CallAction, 'at'> | null {
  const tool = Object.hasOwn(ACTION_TOOLS, run.toolName) ? ACTION_TOOLS[run.toolName] : undefined;
  const value = tool && run.arguments[tool.argument];
  if (!tool || run.statusCode !== null || typeof value !== 'string') return null;
  const detail = tool.type === 'callback' ? callbackTime(value, run.arguments['timezone']) : value;
  return { type: tool.type, status: run.ok ? 'ok' : 'failed', detail: detail.slice(0, LONGEST_DETAIL) };
}

/** The model may have written anything. */
const LONGEST_DETAIL = 100;

/** In UTC; as the model wrote it when that is no time. */
function callbackTime(local: string, timezone: unknown): string {
  const zone = canonicalZone(String(timezone));
  const at = zone === null ? null : zonedTime(local, zone);
  return at === null ? local : toDateTime(at);
}
