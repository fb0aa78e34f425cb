import { Injectable } from '@nestjs/common';
import type { CallView, Turn } from '../calls/call.view.js';
import { Evaluator } from './evaluation/evaluator.js';

const PATIENCE_MS = 45_000;

export interface CallEvaluated {
  /** Keyed by the names of the post-call schema; every value null where there is none. */
  evaluation: Record<string, unknown>;
  /** Why there are no values; never made up. */
  error: string | null;
  /** Asking again later may help. */
  retry: boolean;
}

@Injectable()
export class CallEvaluation {
  constructor(private readonly evaluator: Evaluator) {}

  async of({ evaluationPlan: plan }: CallView, turns: Turn[]): Promise<CallEvaluated> {
    if (!plan) return { evaluation: {}, error: null, retry: false };
    const fields = plan.schema;
    const outcome = await this.evaluator.evaluate(
      { model: plan.model, fields, turns },
      AbortSignal.timeout(PATIENCE_MS),
    );
    if (outcome.ok) return { evaluation: outcome.values, error: null, retry: false };
    const blank = Object.fromEntries(fields.map(({ name }) => [name, null]));
    return { evaluation: blank, error: outcome.reason, retry: outcome.retryable };
  }
}
