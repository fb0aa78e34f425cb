/** Times before which contents of an account are removed. */
export interface CutOffs {
  accountId: number;
  /** With days of its own. */
  narrowId: number;
  before: Date;
  narrowBefore: Date;
  /** Numbers of outbound calls that ended later are kept, by the database's clock. */
  numbersBefore: Date;
}

/** `$1` to `$5` of the statements. */
export const cutOffValues = (cutOffs: CutOffs): unknown[] => [
  cutOffs.accountId,
  cutOffs.narrowId,
  cutOffs.before,
  cutOffs.narrowBefore,
  cutOffs.numbersBefore,
];

/** The cut-off of a row with `account_id` and `assistant_id`. */
const before = (row: string): string =>
  `CASE WHEN ${row}.account_id <> cut.account THEN '-infinity' WHEN ${row}.assistant_id = cut.narrow THEN cut.narrow_before
        ELSE cut.before END`;

interface KeptRows {
  /** FROM clause with the rows as `t`. */
  from: string;
  /** SQL: nothing of the row is to be removed. */
  stays: string;
  /** SQL of the columns that also the other rows keep; null: those are deleted. */
  rest: string | null;
  /** SQL: a row that is to be removed still has something. */
  isLeft: string;
}

const NEWER = `c.ended_at >= ${before('c')}`;
const NUMBER_DUE = `t.type <> 'outbound' OR t.ended_at < cut.numbers_before`;
/** Without those that become due while a pass runs. */
const NUMBER_STAYS = `t.type = 'outbound' AND t.ended_at >= cut.numbers_before + interval '30 minutes'`;

/** Rows of calls belong to their call, others have a time of their own. */
export const KEPT_ROWS: Record<string, KeptRows> = {
  calls: {
    from: 'calls t',
    stays: `t.ended_at >= ${before('t')}`,
    rest: `t.id, t.account_id, t.assistant_id, t.assistant_name, t.campaign_id, t.campaign_name, t.type, t.status, t.token,
      t.carrier_sid, t.assistant_phone_number, t.answered_by, t.ended_by, t.ended_reason, t.duration, t.evaluation_plan,
      t.response_counts, t.price_per_minute_micros, t.carrier_cost_micros, t.total_cost_micros, t.max_duration,
      t.wrap_up_state, t.created_at, t.updated_at, t.answered_at, t.ended_at, t.deleted_at,
      right(t.client_phone_number, 4), CASE WHEN ${NUMBER_STAYS} THEN t.client_phone_number END`,
    isLeft: `t.transcript <> '' OR t.transcript_deleted_at IS NULL OR t.variables <> '{}' OR t.evaluation <> '{}'
      OR t.variables_deleted_at IS NULL OR t.recording_url IS NOT NULL
      OR ((${NUMBER_DUE}) AND (NOT t.number_masked OR t.client_phone_number NOT LIKE '%*%'))`,
  },
  call_turns: {
    from: 'call_turns t JOIN calls c ON c.id = t.call_id',
    stays: NEWER,
    rest: 't.call_id, t.seq, t.role, t.interrupted, t.timings, t.created_at',
    isLeft: `t.text <> ''`,
  },
  call_tool_runs: {
    from: 'call_tool_runs t JOIN calls c ON c.id = t.call_id',
    stays: NEWER,
    rest: 't.id, t.call_id, t.seq, t.tool_name, t.ok, t.duration_ms, t.created_at',
    isLeft: `t.answer <> '' OR t.arguments <> '{"digits": ""}'`,
  },
  call_webhook_responses: {
    from: 'call_webhook_responses t JOIN calls c ON c.id = t.call_id',
    stays: NEWER,
    rest: null,
    isLeft: 'true',
  },
  recordings: {
    from: 'recordings t JOIN calls c ON c.id = t.call_id',
    stays: NEWER,
    rest: null,
    isLeft: 'true',
  },
  webhook_deliveries: {
    from: 'webhook_deliveries t',
    stays: `t.created_at >= ${before('t')}`,
    rest: null,
    isLeft: 'true',
  },
  webhook_attempts: {
    from: 'webhook_attempts t LEFT JOIN webhook_deliveries d ON d.id = t.delivery_id',
    stays: `d.created_at >= ${before('d')}`,
    rest: null,
    isLeft: 'true',
  },
  chats: {
    from: 'chats t',
    stays: `t.updated_at >= ${before('t')}`,
    rest: `t.id, t.account_id, t.assistant_id, t.type, t.price_micros, t.total_cost_micros, t.state, t.ended_reason,
      t.message_count, t.asked_seq, t.answered_seq, t.created_at, t.updated_at, t.ended_at`,
    isLeft: `t.variables <> '{}' OR t.evaluation <> '{}' OR t.external_identifier IS NOT NULL
      OR t.content_deleted_at IS NULL`,
  },
  chat_turns: {
    from: 'chat_turns t JOIN chats c ON c.id = t.chat_id',
    stays: `c.updated_at >= ${before('c')}`,
    rest: 't.chat_id, t.seq, t.cost_micros, t.created_at, t.answered_at',
    isLeft: `t.message IS NOT NULL OR t.answer IS NOT NULL OR t.function_calls <> '[]'`,
  },
  sms_messages: {
    from: 'sms_messages t',
    stays: `t.account_id <> cut.account OR t.created_at >= cut.before`,
    rest: `t.id, t.account_id, t.from_number, t.to_number, t.segments, t.segment_price_micros, t.total_cost_micros,
      t.status, t.sms_sid, t.created_at, t.updated_at`,
    isLeft: `t.body <> ''`,
  },
};

/**
 * Counts the rows and adds up a hash of each: `stays` of all columns of the rows that stay as they are, `rest` of what
 * the others keep. `removed`: the others; `due`: those of them that still have contents.
 */
export function checkSumsSql({ from, stays, rest, isLeft }: KeptRows): string {
  const kept =
    rest === null
      ? 'NULL'
      : `(sum(hashtextextended(concat_ws('|', ${rest}), 0)) FILTER (WHERE NOT is_staying))::text`;
  return `
    SELECT count(*) FILTER (WHERE is_staying)::int AS staying, count(*) FILTER (WHERE NOT is_staying)::int AS removed,
           (sum(hashtextextended(t::text, 0)) FILTER (WHERE is_staying))::text AS stays, ${kept} AS rest,
           count(*) FILTER (WHERE NOT is_staying AND (${isLeft}))::int AS due
      FROM (SELECT $1::int AS account, $2::int AS narrow, $3::timestamptz AS before, $4::timestamptz AS narrow_before,
                   $5::timestamptz AS numbers_before) AS cut
      CROSS JOIN ${from} CROSS JOIN LATERAL (SELECT coalesce(${stays}, false) AS is_staying) AS state`;
}
