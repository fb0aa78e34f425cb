import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ServiceUnavailable, TooManyRequests } from '#src/common/errors/api-error.js';
import { KeyedConcurrencyLimiter, NoSlotError } from '#src/common/persistence/keyed-concurrency-limiter.js';
import { DrainService } from '#src/health/drain.service.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { ChatTakenOverError } from './chat-responder.js';
import { ChatResponsesService } from './chat-responses.service.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatTurnsRepository, CHAT_LEASE_RENEWAL_MS, type ChatLease } from './chat-turns.repository.js';
import type { Chat, ChatTurn } from './entities/chat.entities.js';

/** How long a request waits for its answer: less than proxies do. The answer is stored all the same. */
const MAX_WAIT_MS = 55_000;
const POLL_MS = 200;
/** Chats of one account that a process works on at once, and how many more wait for how long. */
const PER_ACCOUNT = 50;
const LIMITS = { maxWaiting: 500, maxWaitMs: 30_000 };

/** Answers messages: those of a chat one after the other, over all processes. */
@Injectable()
export class ChatTurnsService {
  private readonly limiter = new KeyedConcurrencyLimiter<number>(PER_ACCOUNT, LIMITS);
  /** Work of this process by the id of the chat. */
  private readonly running = new Map<number, Promise<void>>();
  /** Notifies requests of this process about the responses to their messages. */
  private readonly finished = new EventEmitter().setMaxListeners(0);
  /** Messages that this process received, as they were written, and their answers: stored are their redacted forms. */
  private readonly written = new Map<string, { message: string; answer?: string | null }>();

  constructor(
    private readonly turns: ChatTurnsRepository,
    private readonly chats: ChatsRepository,
    private readonly answers: ChatResponsesService,
    private readonly queue: JobQueue,
    drain: DrainService,
  ) {
    drain.registerCallCount(() => this.running.size);
  }

  /**
   * Resolves when the message is answered, by whichever process; with the answer as it was given where this one did.
   * @param message as it was written
   * @throws ServiceUnavailable when that takes too long; TooManyRequests
   */
  async waitForResponse(
    chat: Pick<Chat, 'id' | 'accountId'>,
    seq: number,
    message: string,
  ): Promise<ChatTurn> {
    const name = nameOf(chat.id, seq);
    const written: { message: string; answer?: string | null } = this.written.get(name) ?? { message };
    this.written.set(name, written);
    const waiting = new AbortController();
    const { signal } = waiting;
    const timeUp = sleep(MAX_WAIT_MS, 'time up' as const, { signal }).catch(() => null);
    const here = once(this.finished, name, { signal }).catch(() => null);
    try {
      for (;;) {
        const what = await Promise.race([this.processMessages(chat), here, timeUp]);
        const turn = await this.chats.findTurn(chat.id, seq);
        if (turn?.answeredAt) return { ...turn, answer: written.answer ?? turn.answer };
        if (what === 'time up') throw new ServiceUnavailable();
        // Another process answers.
        await Promise.race([sleep(POLL_MS), timeUp]);
      }
    } finally {
      waiting.abort();
      this.written.delete(name);
    }
  }

  /** Answers what waits, unless another process does. */
  processMessages(chat: Pick<Chat, 'id' | 'accountId'>): Promise<void> {
    const running = this.running.get(chat.id);
    if (running) return running;
    const work = this.inTurn(chat).finally(() => this.running.delete(chat.id));
    this.running.set(chat.id, work);
    return work;
  }

  private async inTurn({ id, accountId }: Pick<Chat, 'id' | 'accountId'>): Promise<void> {
    const release = await this.limiter.acquire(accountId).catch((error: unknown) => {
      throw error instanceof NoSlotError ? new TooManyRequests(LIMITS.maxWaitMs / 1000) : error;
    });
    try {
      const lease = await this.turns.claim(id);
      if (lease) await this.answerAll(lease);
    } finally {
      release();
    }
  }

  private async answerAll(lease: ChatLease): Promise<void> {
    const keeping = setInterval(
      () => void this.turns.renew(lease).catch(() => undefined),
      CHAT_LEASE_RENEWAL_MS,
    );
    try {
      while (await this.answerNext(lease));
    } catch (error) {
      if (!(error instanceof ChatTakenOverError)) throw error;
    } finally {
      clearInterval(keeping);
    }
  }

  /** @returns whether more messages wait. */
  private async answerNext(lease: ChatLease): Promise<boolean> {
    const chat = await this.chats.findById(lease.id);
    const turn = chat && (await this.turns.nextMessage(lease));
    if (!turn) return false;
    const written = this.written.get(nameOf(turn.chatId, turn.seq));
    const { said, ...answer } = await this.answers.respond(lease, chat, turn, written?.message);
    if (written) written.answer = said;
    const hasMore = await this.turns.saveResult(lease, turn, answer);
    this.finished.emit(nameOf(turn.chatId, turn.seq));
    if (answer.ends) this.queue.enqueue('chat-end', chat);
    return hasMore;
  }
}

const nameOf = (chatId: number, seq: number): string => `${chatId} ${seq}`;
