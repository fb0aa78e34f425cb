import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ToolRun, Turn } from '../call.view.js';

/** The turns of calls, stored as they are heard, and the tools that were used. */
@Injectable()
export class TranscriptRepository {
  constructor(private readonly db: DataSource) {}

  /** Replaces a turn that is written again, for example with complete timings. */
  async saveTurn(callId: number, turn: Turn): Promise<void> {
    await this.db.query(
      `INSERT INTO call_turns (call_id, seq, role, text, interrupted, timings) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (call_id, seq) DO UPDATE
         SET text = excluded.text, interrupted = excluded.interrupted, timings = excluded.timings`,
      [callId, turn.seq, turn.role, turn.text, turn.interrupted, turn.timings],
    );
  }

  /** Shortens a turn to what was heard; deletes a turn of which nothing was heard. */
  async cutTurn(callId: number, seq: number, heard: string, interruptedAt: number): Promise<void> {
    if (heard === '') {
      await this.db.query(`DELETE FROM call_turns WHERE call_id = $1 AND seq = $2`, [callId, seq]);
      return;
    }
    await this.db.query(
      `UPDATE call_turns SET text = $3, interrupted = true,
              timings = timings || jsonb_build_object('interrupted', $4::bigint)
        WHERE call_id = $1 AND seq = $2`,
      [callId, seq, heard, Math.round(interruptedAt)],
    );
  }

  async markPlayed(callId: number, seq: number, playedAt: number): Promise<void> {
    await this.db.query(
      `UPDATE call_turns SET timings = timings || jsonb_build_object('played', $3::bigint)
        WHERE call_id = $1 AND seq = $2`,
      [callId, seq, Math.round(playedAt)],
    );
  }

  turns(callId: number): Promise<Turn[]> {
    return this.db.query(
      `SELECT seq, role, text, interrupted, timings FROM call_turns WHERE call_id = $1 ORDER BY seq`,
      [callId],
    );
  }

  async saveToolRun(callId: number, run: ToolRun): Promise<void> {
    await this.db.query(
      `INSERT INTO call_tool_runs
         (call_id, seq, tool_name, arguments, answer, ok, status_code, duration_ms, error)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (call_id, seq) DO NOTHING`,
      [
        callId,
        run.seq,
        run.toolName,
        run.arguments,
        run.answer,
        run.ok,
        run.statusCode,
        Math.round(run.durationMs),
        run.error,
      ],
    );
  }

  toolRuns(callId: number): Promise<Pick<ToolRun, 'seq' | 'toolName' | 'arguments' | 'answer'>[]> {
    return this.db.query(
      `SELECT seq, tool_name AS "toolName", arguments, answer FROM call_tool_runs WHERE call_id = $1 ORDER BY seq`,
      [callId],
    );
  }
}

/** A line per turn: `AI: …` / `Customer: …`. */
export const toTranscript = (turns: Turn[]): string =>
  turns
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) =>
        `${role === 'assistant' ? 'AI' : 'Customer'}: ${text.trim().replace(/\s*\n\s*/g, ' ')}`,
    )
    .join('\n');
