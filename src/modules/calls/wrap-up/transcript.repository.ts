import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { toStorable } from '#src/common/persistence/storable.js';
import type { ModelUsageRecord, ToolRun, CallTurnView } from '../call.view.js';
import { CallActionsService } from '../states/call-actions.service.js';
import { CallToolRun, CallTurn } from '../entities/call-records.entities.js';
import { type TranscriptClaim, TranscriptWriter } from './transcript-writer.js';

/** The turns of calls, stored when they are heard, and their tool runs. */
@Injectable()
export class TranscriptRepository {
  private readonly writer: TranscriptWriter;

  constructor(
    @InjectRepository(CallTurn) private readonly allTurns: Repository<CallTurn>,
    @InjectRepository(CallToolRun) private readonly allToolRuns: Repository<CallToolRun>,
    private readonly db: DataSource,
    private readonly actions: CallActionsService,
  ) {
    this.writer = new TranscriptWriter(db);
  }

  /** The transcript for the conversation that holds the claim; see `CallsRepository.claimConversation`. */
  openClaimedTranscript(callId: number, claim: number): ClaimedTranscript {
    return new ClaimedTranscript(this.db, { callId, claim }, this.writer, this.actions);
  }

  findTurns(callId: number): Promise<CallTurnView[]> {
    return this.allTurns.find({
      select: { seq: true, role: true, kind: true, text: true, interrupted: true, timings: true },
      where: { callId },
      order: { seq: 'ASC' },
    });
  }

  findToolRuns(callId: number): Promise<Pick<ToolRun, 'seq' | 'toolName' | 'arguments' | 'answer'>[]> {
    return this.allToolRuns.find({
      select: { seq: true, toolName: true, arguments: true, answer: true },
      where: { callId },
      order: { seq: 'ASC' },
    });
  }
}

/**
 * SQL condition: no other process has taken the call ($1) over since the claim ($2). It waits for a change of the claim,
 * as `TranscriptWriter` does.
 */
const CLAIMED = `EXISTS (SELECT 1 FROM calls WHERE id = $1 AND conversation_claim = $2 FOR SHARE)`;

/** Writes the turns of one conversation. Without effect after another process took the call over. */
export class ClaimedTranscript {
  constructor(
    private readonly db: DataSource,
    private readonly call: TranscriptClaim,
    private readonly writer: TranscriptWriter,
    private readonly actions: Pick<CallActionsService, 'countAction'>,
  ) {}

  /** Inserts a turn, or replaces it, for example with complete timings. */
  async saveTurn(turn: CallTurnView): Promise<void> {
    const { kind: turnKind, text } = turn;
    const entry = { ...this.call, ...turn, kind: 'turn', turnKind, text: toStorable(text) } as const;
    const stored = this.writer.write(entry);
    // The response waits for it.
    if (turn.role === 'customer') this.flush();
    await stored;
  }

  /** Shortens a turn to its heard part; deletes an unheard one. */
  async truncateTurn(seq: number, heard: string, interruptedAt: number): Promise<void> {
    if (heard === '') {
      await this.write(`DELETE FROM call_turns WHERE call_id = $1 AND seq = $3 AND ${CLAIMED}`, [seq]);
      return;
    }
    await this.write(
      `UPDATE call_turns SET text = $4, interrupted = true,
              timings = timings || jsonb_build_object('interrupted', $5::bigint)
        WHERE call_id = $1 AND seq = $3 AND ${CLAIMED}`,
      [seq, toStorable(heard), Math.round(interruptedAt)],
    );
  }

  async markPlayed(seq: number, playedAt: number): Promise<void> {
    await this.writer.write({ ...this.call, kind: 'played', seq, at: Math.round(playedAt) });
  }

  async saveToolRun(toolRun: ToolRun): Promise<void> {
    const run = toStorable(toolRun);
    const [stored] = await this.write<{ isAction: boolean }>(
      `INSERT INTO call_tool_runs
         (call_id, seq, tool_name, arguments, answer, ok, status_code, duration_ms, error)
       SELECT $1, $3::int, $4::text, $5::jsonb, $6::text, $7::boolean, $8::int, $9::int, $10::text WHERE ${CLAIMED}
       ON CONFLICT (call_id, seq) DO NOTHING RETURNING action_detail(call_tool_runs) IS NOT NULL AS "isAction"`,
      [
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
    if (stored?.isAction) this.actions.countAction(run);
  }

  async saveModelUsage({ afterSeq: seq, ...usage }: ModelUsageRecord): Promise<void> {
    await this.writer.write({ ...this.call, kind: 'usage', seq, ...usage });
  }

  /** Writes waiting entries now. */
  flush(): void {
    this.writer.flush();
  }

  private write<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.db.query(sql, [this.call.callId, this.call.claim, ...values]);
  }
}

/** Of a stored transcript, in bytes of UTF-8, with its last line. */
const MAX_TRANSCRIPT_BYTES = 200_000;
const TRUNCATION_NOTICE = '[The rest is left out: a transcript has at most 200 kB.]';

/**
 * A line per turn: `AI: …` / `Customer: …`. Over 200 kB it is truncated after a line, with a notice as the last line.
 */
export function toTranscript(turns: CallTurnView[]): string {
  const lines = linesOf(turns);
  const whole = lines.join('\n');
  if (Buffer.byteLength(whole) <= MAX_TRANSCRIPT_BYTES) return whole;
  let left = MAX_TRANSCRIPT_BYTES - Buffer.byteLength(TRUNCATION_NOTICE);
  const end = lines.findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0);
  return [...lines.slice(0, end), TRUNCATION_NOTICE].join('\n');
}

const linesOf = (turns: CallTurnView[]): string[] =>
  turns
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) =>
        `${role === 'assistant' ? 'AI' : 'Customer'}: ${text.trim().replace(/\s*\n\s*/g, ' ')}`,
    );
