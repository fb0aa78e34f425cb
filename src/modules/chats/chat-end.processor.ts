import { JobProcessor, type JobRow, type RowProcessor } from '#src/queue/job-queue.js';
import { EvaluatorService } from '../calls/wrap-up/call-evaluation.service.js';
import { ChatEndsRepository, type ChatEvaluation } from './chat-ends.repository.js';
import { toMessages } from './chat-history.js';
import { ChatsRepository } from './chats.repository.js';
import type { Chat } from './entities/chat.entities.js';

const EVALUATION_MS = 45_000;
const EVALUATION_TRIES = 5;
const EVALUATION_PAUSE_SECONDS = 5;

/** Ends chats that are silent, and makes the records of those that have ended final. */
@JobProcessor('chat-end')
export class ChatEndProcessor implements RowProcessor {
  constructor(
    private readonly ends: ChatEndsRepository,
    private readonly chats: ChatsRepository,
    private readonly evaluator: EvaluatorService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.ends.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const claimed = await this.ends.claim(Number(rowId));
    const chat = claimed?.state === 'active' ? await this.ends.endForSilence(claimed) : claimed;
    if (!chat) return;
    const evaluated = await this.evaluate(chat);
    if (evaluated) await this.ends.finish(chat, evaluated);
    else await this.ends.postpone(chat, EVALUATION_PAUSE_SECONDS * (chat.evaluationAttempts + 1));
  }

  /** Null: it is to be tried again later. */
  private async evaluate(chat: Chat): Promise<ChatEvaluation | null> {
    if (!chat.evaluationPlan || chat.askedSeq === 0) return { evaluation: {}, error: null };
    const { model, schema: fields } = chat.evaluationPlan;
    const turns = toMessages(await this.chats.listTurns(chat.id)).map(({ role, content }) => ({
      role: role === 'user' ? ('customer' as const) : role,
      text: content,
    }));
    await this.ends.countEvaluationAttempt(chat);
    const outcome = await this.evaluator.evaluate(
      { model, fields, turns },
      AbortSignal.timeout(EVALUATION_MS),
    );
    if (outcome.ok) return { evaluation: outcome.values, error: null };
    if (outcome.retryable && chat.evaluationAttempts + 1 < EVALUATION_TRIES) return null;
    return { evaluation: Object.fromEntries(fields.map(({ name }) => [name, null])), error: outcome.reason };
  }
}
