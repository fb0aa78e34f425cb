import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Interval of the events of each call: each one has an utterance. */
const TURN_MS = 2_000;
const STEP_MS = 100;
/** One of this number of steps ends a call and begins another one. */
const STEPS_TO_CHANGE = 5;

/** Simulated running calls: rows and turns are written without a session. */
export class RunningCalls {
  private ids: number[] = [];
  private step = 0;
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly accountId: number,
    private readonly count: number,
  ) {}

  async start(): Promise<void> {
    this.ids = await this.begin(this.count);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      await Promise.all([this.advance(), sleep(STEP_MS)]);
    }
  }

  private async advance(): Promise<void> {
    this.step += 1;
    const steps = TURN_MS / STEP_MS;
    const speaking = this.ids.filter((_, index) => index % steps === this.step % steps);
    await this.pool.query(
      `INSERT INTO call_turns (call_id, seq, role, text)
       SELECT id, $2, CASE WHEN $2 % 2 = 0 THEN 'assistant' ELSE 'customer' END,
              'Tomorrow at ten would be good, if that is possible, or a little later: turn ' || $2
         FROM unnest($1::int[]) AS id`,
      [speaking, this.step],
    );
    const [oldest] = this.ids;
    if (this.step % STEPS_TO_CHANGE !== 0 || oldest === undefined) return;
    await this.pool.query(
      `UPDATE calls SET status = 'completed', ended_at = now(), duration = 60, ended_reason = 'customer_hangup'
        WHERE id = $1`,
      [oldest],
    );
    this.ids = [...this.ids.slice(1), ...(await this.begin(1))];
  }

  /** @returns their ids */
  private async begin(count: number): Promise<number[]> {
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration)
       SELECT $1, 1, 'Front desk', 'outbound', 'initiated', gen_random_uuid()::text, '+14155550100',
              '+1212' || lpad((n + $3::int)::text, 7, '0'), '{}', 0, 600
         FROM generate_series(1, $2::int) AS n RETURNING id`,
      [this.accountId, count, this.step],
    );
    const ids = rows.map(({ id }) => id);
    await this.pool.query(
      `UPDATE calls SET status = 'in-progress', answered_at = now(), answered_by = 'human' WHERE id = ANY($1)`,
      [ids],
    );
    return ids;
  }
}
