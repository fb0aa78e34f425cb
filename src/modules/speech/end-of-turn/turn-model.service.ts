import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { SettingsError } from '#src/config/env-fields.js';
import { RuntimeSettings, servesApi } from '#src/config/runtime-settings.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { EndOfTurnModel, type TurnAudio, type TurnVerdict } from './end-of-turn-model.js';
import { BUDGET_MS } from './turn-model-file.js';
import type { TurnMessage, TurnQuestion } from './turn-model-messages.js';

const THREAD = new URL('./turn-model.thread.js', import.meta.url);
/** Outstanding answers. More would be late. */
const MAX_WAITING = 8;
/** Probabilities from which the turn is complete, and up to which it is not; between them the model does not decide. */
const COMPLETE = 0.7;
const INCOMPLETE = 0.3;
const SECONDS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1];

/** The used part of a thread. */
export type TurnModelThread = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'unref'>;

/** A probability; null: the model failed. */
type TurnAnswer = number | null | 'late';

/** The file at `TURN_MODEL`, in a thread of this process for all its calls. */
@Injectable()
export class TurnModelService extends EndOfTurnModel implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TurnModelService.name);
  private readonly path: string | null;
  private thread: TurnModelThread | null = null;
  private readonly waiting = new Map<number, (probability: TurnAnswer) => void>();
  private asked = 0;
  private hasWarned = false;
  private metrics: { answers: Counter<'outcome'>; duration: Histogram } | null = null;

  constructor(
    settings: RuntimeSettings,
    private readonly metricsService: MetricsService,
  ) {
    super();
    // Calls are held where the API is served.
    this.path = servesApi(settings) ? settings.speech.turnModel : null;
  }

  override get isSet(): boolean {
    return this.path !== null;
  }

  /** @throws SettingsError for a file that is no end-of-turn model */
  async onModuleInit(): Promise<void> {
    if (this.path === null) return;
    const registers = [this.metricsService.registry];
    this.metrics = {
      answers: new Counter({
        name: 'turn_model_answers_total',
        help: 'Questions to the end-of-turn model, by outcome; late and failed ones decided nothing.',
        labelNames: ['outcome'],
        registers,
      }),
      duration: new Histogram({
        name: 'turn_model_seconds',
        help: 'Time of the answers of the end-of-turn model that were in time.',
        buckets: SECONDS,
        registers,
      }),
    };
    const trialMs = await this.load(this.path);
    this.logger.log(`The end-of-turn model takes ${trialMs} ms`);
    if (trialMs > BUDGET_MS)
      this.logger.warn(`The end-of-turn model has ${BUDGET_MS} ms to answer: later answers are ignored`);
  }

  async onModuleDestroy(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    this.giveUp();
    await thread?.terminate();
  }

  override async classify(audio: TurnAudio): Promise<TurnVerdict | null> {
    const { thread } = this;
    if (!thread) return this.count('failed', null);
    if (this.waiting.size >= MAX_WAITING) return this.count('late', null);
    const started = performance.now();
    const probability = await this.ask(thread, audio);
    if (probability === 'late') return this.count('late', null);
    if (probability === null) return this.count('failed', null);
    this.metrics?.duration.observe((performance.now() - started) / 1000);
    const verdict =
      probability >= COMPLETE ? 'complete' : probability <= INCOMPLETE ? 'incomplete' : 'unsure';
    return this.count(verdict, verdict);
  }

  protected startThread(path: string): TurnModelThread {
    return new Worker(THREAD, { workerData: path });
  }

  /** @returns the duration of a trial, in milliseconds */
  private load(path: string): Promise<number> {
    const thread = this.startThread(path);
    return new Promise((resolve, reject) => {
      const refuse = (reason: string): void => {
        void thread.terminate();
        reject(new SettingsError([`TURN_MODEL: ${path} ${reason}; see docs/run/turn-model.md`]));
      };
      thread.on('message', (message: TurnMessage) => {
        if (message.kind === 'answer') return this.handleAnswer(message);
        if (message.kind === 'refused') return refuse(message.reason);
        this.thread = thread;
        // The process may end without it.
        thread.unref();
        resolve(message.trialMs);
      });
      thread.on('error', (error) =>
        this.thread ? this.handleLoss(error) : refuse(`fails: ${error.message}`),
      );
      thread.on('exit', () => (this.thread ? this.handleLoss(new Error('exit')) : refuse('ends its thread')));
    });
  }

  private ask(thread: TurnModelThread, audio: TurnAudio): Promise<TurnAnswer> {
    const id = (this.asked += 1);
    const question: TurnQuestion = { id, audio, until: Date.now() + BUDGET_MS };
    return new Promise((resolve) => {
      // An answer that came while the process was busy is read before.
      const timer = setTimeout(() => setImmediate(() => resolve('late')), BUDGET_MS);
      // Kept beyond the time: the thread is still at work.
      this.waiting.set(id, (probability) => {
        clearTimeout(timer);
        resolve(probability);
      });
      thread.postMessage(question, [audio.samples.buffer as ArrayBuffer]);
    });
  }

  private handleAnswer({ id, probability, failure }: TurnMessage & { kind: 'answer' }): void {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    if (failure !== undefined && !this.hasWarned)
      this.logger.warn(`The end-of-turn model fails, which turn_model_answers_total counts: ${failure}`);
    this.hasWarned ||= failure !== undefined;
    resolve?.(probability ?? (failure === undefined ? 'late' : null));
  }

  /** The calls go on without the model. */
  private handleLoss(error: Error): void {
    this.logger.error(`The thread of the end-of-turn model ended: ${error.message}`);
    this.thread = null;
    this.giveUp();
  }

  private giveUp(): void {
    for (const resolve of this.waiting.values()) resolve(null);
    this.waiting.clear();
  }

  private count<T>(outcome: TurnVerdict | 'late' | 'failed', result: T): T {
    this.metrics?.answers.inc({ outcome });
    return result;
  }
}
