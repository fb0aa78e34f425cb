import type { ToolOutcome } from './tool-runner.js';
import { Logger } from '@nestjs/common';
import type { TurnKind } from '../../calls/call.view.js';
import type { ModelUsage } from '../../llm/language-model.js';
import type { Clock } from './clock.js';
import type { ConversationResult, EndReason } from './conversation-settings.js';

/** Milliseconds since the epoch. */
export interface TurnTimings {
  /** The customer stopped speaking; absent where the session does not report it. */
  silent?: number;
  /** The customer's utterance was complete. */
  prompt?: number;
  /** The model's first token arrived. */
  modelFirst?: number;
  /** The first token was sent to the call session. */
  textFirst?: number;
  /** The last token was sent. */
  textLast?: number;
  /** Start of the playback, as reported or estimated when it was stored. */
  playing?: number;
  /** End of the playback. */
  played?: number;
  /** The customer interrupted it. */
  interrupted?: number;
  /** Not a time: characters that were reported as heard when it was stored; only of sessions that report everything. */
  heardTo?: number;
}

export interface RecordedTurn {
  /** Increases within the call, together with tool calls. */
  seq: number;
  role: 'assistant' | 'customer';
  /** `filler`: unknown to the model. */
  kind: TurnKind;
  text: string;
  timings: TurnTimings;
  interrupted: boolean;
}

export interface RecordedToolCall {
  seq: number;
  name: string;
  /** Null when the model's arguments do not match the tool's schema. */
  arguments: Record<string, unknown> | null;
  outcome: ToolOutcome;
  /** The result that the model received, for a conversation that resumes after its session broke. */
  answer: string;
}

/** The call is transferred to a person. */
export interface RecordedTransfer {
  seq: number;
  /** Of the entry in the assistant's list. */
  name: string;
  /** E.164 */
  phoneNumber: string;
}

/** Tokens of one response of a model. */
export interface RecordedUsage extends ModelUsage {
  model: string;
  /** `seq` of the last turn or tool call before the end of the response; 0 for none. */
  afterSeq: number;
}

/**
 * A step of call screening. `asked`: it asks who calls and why. `connected`: the person is on the phone. `declined`: the
 * person does not take the call.
 */
export type ScreeningStep = 'asked' | 'connected' | 'declined';

/** A finding about the callee. `menu`: a recorded menu (IVR). */
export type AnswererStep = ScreeningStep | 'menu';

/** Stores a conversation while it takes place. Called in order, one call at a time; failed calls are retried. */
export interface ConversationRecorder {
  storeTurn(turn: RecordedTurn): Promise<void>;
  /** Shortens a stored turn to its heard part; removes it when `heardText` is empty. */
  truncateTurn(seq: number, heardText: string, interruptedAt: number): Promise<void>;
  /** A stored turn was played to its end. */
  markTurnPlayed(seq: number, playedAt: number): Promise<void>;
  storeToolCall(call: RecordedToolCall): Promise<void>;
  storeUsage(usage: RecordedUsage): Promise<void>;
  storeTransfer(transfer: RecordedTransfer): Promise<void>;
  /** The customer requested no further calls. */
  suppressNumber(): Promise<void>;
  /** Stores a step of call screening, or a recorded menu. */
  storeScreening(step: AnswererStep): Promise<void>;
  /** Called last, with the result of the conversation. After `line_lost` another process may resume it. */
  storeEnd(result: ConversationResult): Promise<void>;
  /** Writes buffered entries now, because something waits for them. */
  flush(): void;
}

type RecorderTask = (recorder: ConversationRecorder) => Promise<void>;

/** Maximum of unstored entries of one conversation; more than several hours of talk. */
const MAX_PENDING = 10_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Timeout for storing the rest of an ended conversation. */
const FLUSH_TIMEOUT_MS = 30_000;
/** The same while a customer waits. */
const STORE_TIMEOUT_MS = 10_000;
/** The same before a response, where a longer pause would be noticed. */
const RESPONSE_WAIT_MS = 250;

/** End reasons of a session after which the call may continue. */
export const RESUMABLE_END_REASONS: readonly EndReason[] = ['line_lost', 'transferred'];

/**
 * Passes entries to the recorder one at a time, without delaying the conversation. A failed entry is retried without
 * limit; later ones wait for it.
 */
export class RecorderQueue {
  private readonly logger = new Logger(RecorderQueue.name);
  private readonly pending: RecorderTask[] = [];
  private work: Promise<void> | null = null;
  private isFull = false;
  /** Number of callers that wait for the queue. */
  private waiterCount = 0;

  constructor(
    private readonly recorder: ConversationRecorder,
    private readonly clock: Clock,
  ) {}

  push(entry: RecorderTask): void {
    if (this.pending.length >= MAX_PENDING) {
      if (!this.isFull)
        this.logger.error('Too many entries wait to be stored: the rest of this conversation is lost');
      this.isFull = true;
      return;
    }
    this.pending.push(entry);
    if (this.work) this.recorder.flush();
    this.work ??= this.drain();
  }

  /** Resolves when everything is stored, after 30 s at the latest; the rest is still stored then. */
  async conclude(result: ConversationResult): Promise<void> {
    this.push((recorder) => recorder.storeEnd(result));
    await this.waitUntilStored(FLUSH_TIMEOUT_MS);
  }

  /** Resolves when the entry, and everything before it, is stored; after 10 s at the latest. */
  async pushAndWait(entry: RecorderTask): Promise<void> {
    this.push(entry);
    await this.waitUntilStored(STORE_TIMEOUT_MS);
  }

  /** Resolves when everything so far is stored; after 250 ms at the latest. */
  async waitBeforeResponse(): Promise<void> {
    if (this.work) await this.waitUntilStored(RESPONSE_WAIT_MS);
  }

  private async waitUntilStored(limitMs: number): Promise<void> {
    this.waiterCount += 1;
    this.recorder.flush();
    await new Promise<void>((resolve) => {
      const cancel = this.clock.setTimeout(resolve, limitMs);
      void Promise.resolve(this.work).then(() => {
        cancel();
        resolve();
      });
    });
    this.waiterCount -= 1;
  }

  private async drain(): Promise<void> {
    for (let entry = this.pending[0]; entry; entry = this.pending[0]) {
      await this.storeWithRetry(entry);
      this.pending.shift();
    }
    this.work = null;
  }

  private async storeWithRetry(entry: RecorderTask): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        const stored = entry(this.recorder);
        if (this.pending.length > 1 || this.waiterCount > 0) this.recorder.flush();
        return await stored;
      } catch (error) {
        // The error's text is not logged: it may quote the turn.
        if (pauseMs === FIRST_PAUSE_MS)
          this.logger.warn(`Not stored yet: ${error instanceof Error ? error.name : 'error'}`);
        await new Promise<void>((resolve) => this.clock.setTimeout(resolve, pauseMs));
      }
    }
  }
}
