import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, IsNull, LessThan, MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import { MAX_ID } from '#src/common/validation/fields.js';
import { CallNotFound } from '../calls.errors.js';
import { type ListTurnsDto } from '../dto/call-turns.dto.js';
import {
  toModelUsageEntry,
  toToolEntry,
  toTurnEntry,
  toTurnsResponse,
  type CallTurnsResponse,
} from '../dto/call-turns.response.js';
import { CallModelUsage, CallToolRun, CallTurn } from '../entities/call-records.entities.js';
import { Call } from '../entities/call.entity.js';

/** Turns and tool runs per response. */
export const TURNS_PER_PAGE = 200;
/** Maximum of model usages per response; more only if most model responses were never heard. */
const MAX_MODEL_USAGES = 1_000;

/** Turns of a call for the API. */
@Injectable()
export class CallTurnsService {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    @InjectRepository(CallTurn) private readonly turns: Repository<CallTurn>,
    @InjectRepository(CallToolRun) private readonly toolRuns: Repository<CallToolRun>,
    @InjectRepository(CallModelUsage) private readonly usages: Repository<CallModelUsage>,
  ) {}

  async listTurns(userId: number, id: number, { after_seq }: ListTurnsDto): Promise<CallTurnsResponse> {
    const call = await this.calls.findOne({
      select: { id: true, status: true, carrierCostMicros: true, totalCostMicros: true },
      where: { id, accountId: userId, deletedAt: IsNull() },
    });
    if (!call) throw new CallNotFound();
    const page = {
      where: { callId: id, seq: MoreThan(after_seq) },
      order: { seq: 'ASC' },
      take: TURNS_PER_PAGE + 1,
    } as const;
    const [turns, runs] = await Promise.all([this.turns.find(page), this.toolRuns.find(page)]);
    const found = [...turns.map(toTurnEntry), ...runs.map(toToolEntry)].sort((a, b) => a.seq - b.seq);
    const shown = found.slice(0, TURNS_PER_PAGE);
    const first = shown[0];
    if (first) {
      const from = after_seq === 0 ? 0 : first.seq;
      for (const usage of await this.findUsages(id, from, found[TURNS_PER_PAGE]?.seq ?? MAX_ID)) {
        const turn = shown.findLast(({ seq }) => seq <= usage.afterSeq) ?? first;
        turn.model_answers.push(toModelUsageEntry(usage));
      }
    }
    return toTurnsResponse(call, shown, found.length > TURNS_PER_PAGE ? (shown.at(-1)?.seq ?? null) : null);
  }

  private findUsages(callId: number, from: number, below: number): Promise<CallModelUsage[]> {
    return this.usages.find({
      where: { callId, afterSeq: And(MoreThanOrEqual(from), LessThan(below)) },
      order: { afterSeq: 'ASC', id: 'ASC' },
      take: MAX_MODEL_USAGES,
    });
  }
}
