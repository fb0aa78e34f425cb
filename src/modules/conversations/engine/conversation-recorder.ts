import type { ToolOutcome } from './tool-runner.js';
import { Logger } from '@nestjs/common';
import type { ModelUsage } from '../../llm/language-model.js';
import type { Clock } from './clock.js';
import type { ConversationResult, EndReason } from './conversation-settings.js';

/** Milliseconds since the epoch. */
export interface TurnTimings {
  /** The customer's utterance was complete. */
  prompt?: number;
  /** The model's first token arrived. */
  modelFirst?: number;
  /** The first token was sent to the call session. */
  textFirst?: number;
  /** The last token was sent. */
  textLast?: number;
  /** It began to be played, as reported or estimated when it was stored. */
  playing?: number;
  /** The last of it was played. */
  played?: number;
  /** The customer interrupted it. */
  interrupted?: number;
  /** Not a time: characters that were reported as heard when it was stored; only of sessions that report everything. */
  heardTo?: number;
}

export interface RecordedTurn {
  /** Counts up within the call, tool calls included. */
  seq: number;
  role: 'assistant' | 'customer';
  text: string;
  timings: TurnTimings;
  interrupted: boolean;
  /** When the customer stopped speaking, in milliseconds since the epoch; absent where the session does not tell. */
  silentAt?: number;
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

/** The call is handed over to a person. */
export interface RecordedTransfer {
  seq: number;
  /** Of the entry in the assistant's list. */
  name: string;
  /** E.164 */
  phoneNumber: string;
}

/** Tokens of one answer of a model. */
export interface RecordedUsage extends ModelUsage {
  model: string;
  /** `seq` of the last turn or tool call before the end of the answer; 0 for none. */
  afterSeq: number;
}

/**
 * What call screening did. `asked`: it asks who calls and why. `connected`: the person comes to the phone. `declined`:
 * the person does not.
 */
export type ScreeningStep = 'asked' | 'connected' | 'declined';

/** What is known of who answers. `menu`: a recorded menu. */
export type AnsweringStep = ScreeningStep | 'menu';

/** Stores a conversation while it takes place. Called in order and one at a time; what fails is called again. */
export interface ConversationRecorder {
  turn(turn: RecordedTurn): Promise<void>;
  /** Shortens a stored turn to what was heard; nothing was heard when `heardText` is empty. */
  turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void>;
  /** A stored turn was heard to its end. */
  turnPlayed(seq: number, playedAt: number): Promise<void>;
  toolCall(call: RecordedToolCall): Promise<void>;
  modelUsed(usage: RecordedUsage): Promise<void>;
  transfer(transfer: RecordedTransfer): Promise<void>;
  /** The customer asked never to be called again. */
  stopCalling(): Promise<void>;
  /** Call screening did something, or a recorded menu answers. */
  screening(step: AnsweringStep): Promise<void>;
  /** Called last: the conversation is over, and why. After `line_lost` another process may go on. */
  ended(result: ConversationResult): Promise<void>;
  /** Something waits for what is being stored. */
  hurry(): void;
}

type Entry = (recorder: ConversationRecorder) => Promise<void>;

/** Entries of one conversation that wait to be stored; more than several hours of talk. */
const MAX_WAITING = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** How long the end of a conversation waits for what is not stored yet. */
const FLUSH_LIMIT_MS = 30_000;
/** The same for a customer who waits. */
const STORED_LIMIT_MS = 10_000;
/** The same for an answer; a customer hears a longer pause. */
const ANSWER_LIMIT_MS = 250;

/** Ends of a session after which the call may go on. */
export const OPEN_ENDS: readonly EndReason[] = ['line_lost', 'transferred'];

/**
 * Passes events to the recorder one at a time, without delaying the conversation. An entry that cannot be stored is
 * tried again until it is, however long that takes; what comes after it waits.
 */
export class RecordingQueue {
  private readonly logger = new Logger(RecordingQueue.name);
  private readonly waiting: Entry[] = [];
  private work: Promise<void> | null = null;
  private isFull = false;
  /** How many wait for what is being stored. */
  private awaited = 0;

  constructor(
    private readonly recorder: ConversationRecorder,
    private readonly clock: Clock,
  ) {}

  push(entry: Entry): void {
    if (this.waiting.length >= MAX_WAITING) {
      if (!this.isFull)
        this.logger.error('Too much waits to be stored: the rest of this conversation is lost');
      this.isFull = true;
      return;
    }
    this.waiting.push(entry);
    if (this.work) this.recorder.hurry();
    this.work ??= this.store();
  }

  /** Resolves when the recorder has received everything, after 30 s at the latest; what is left is still stored. */
  async concluded(result: ConversationResult): Promise<void> {
    this.push((recorder) => recorder.ended(result));
    await this.settled(FLUSH_LIMIT_MS);
  }

  /** Resolves when the entry, and everything before it, is stored; after 10 s at the latest. */
  async stored(entry: Entry): Promise<void> {
    this.push(entry);
    await this.settled(STORED_LIMIT_MS);
  }

  /** Resolves when everything so far is stored; after 250 ms at the latest. */
  async storedBeforeAnswer(): Promise<void> {
    if (this.work) await this.settled(ANSWER_LIMIT_MS);
  }

  private async settled(limitMs: number): Promise<void> {
    this.awaited += 1;
    this.recorder.hurry();
    await new Promise<void>((resolve) => {
      const cancel = this.clock.setTimeout(resolve, limitMs);
      void Promise.resolve(this.work).then(() => {
        cancel();
        resolve();
      });
    });
    this.awaited -= 1;
  }

  private async store(): Promise<void> {
    for (let entry = this.waiting[0]; entry; entry = this.waiting[0]) {
      await this.insist(entry);
      this.waiting.shift();
    }
    this.work = null;
  }

  private async insist(entry: Entry): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        const stored = entry(this.recorder);
        if (this.waiting.length > 1 || this.awaited > 0) this.recorder.hurry();
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
