import type { ToolOutcome } from './tool-runner.js';
import { Logger } from '@nestjs/common';

/** Milliseconds since the epoch. */
export interface TurnTimings {
  /** The customer's utterance was complete. */
  prompt?: number;
  /** The model's first token arrived. */
  modelFirst?: number;
  /** The first token was sent to the call session. */
  textFirst?: number;
  /** The last of it was played. */
  played?: number;
  /** The customer interrupted it. */
  interrupted?: number;
}

export interface RecordedTurn {
  /** Counts up within the call, tool calls included. */
  seq: number;
  role: 'assistant' | 'customer';
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

/** Stores a conversation while it takes place. Called in order and one at a time; it may fail. */
export interface ConversationRecorder {
  turn(turn: RecordedTurn): Promise<void>;
  /** Shortens a stored turn to what was heard; nothing was heard when `heardText` is empty. */
  turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void>;
  /** A stored turn was heard to its end. */
  turnPlayed(seq: number, playedAt: number): Promise<void>;
  toolCall(call: RecordedToolCall): Promise<void>;
  /** The customer asked never to be called again. */
  stopCalling(): Promise<void>;
}

/** Passes events to the recorder one at a time, without delaying the conversation. */
export class RecordingQueue {
  private readonly logger = new Logger(RecordingQueue.name);
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly recorder: ConversationRecorder) {}

  push(record: (recorder: ConversationRecorder) => Promise<void>): void {
    this.last = this.last
      .then(() => record(this.recorder))
      // The call continues when a turn cannot be stored. The error's text is not logged: it may quote the turn.
      .catch((error: unknown) =>
        this.logger.error(`Not stored: ${error instanceof Error ? error.name : 'error'}`),
      );
  }

  /** Resolves when the recorder has received everything. */
  flushed(): Promise<void> {
    return this.last;
  }
}
