import type { ToolOutcome } from './tool-runner.js';
import { Logger } from '@nestjs/common';

/** Milliseconds since the epoch. */
export interface TurnTimings {
  /** The customer's words that are answered were complete. */
  prompt?: number;
  /** The model's first token came. */
  modelFirst?: number;
  /** The line got the first token. */
  textFirst?: number;
  /** The last of it was played. */
  played?: number;
  /** The customer talked over it. */
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
  /** Null when the model wrote something that does not fit the tool. */
  arguments: Record<string, unknown> | null;
  outcome: ToolOutcome;
  /** What the model was told, for a conversation that goes on after its line broke. */
  answer: string;
}

/** Stores a conversation as it happens. Called in order, one call after the other; it may fail. */
export interface ConversationRecorder {
  turn(turn: RecordedTurn): Promise<void>;
  /** Less of a stored turn was heard than it says; nothing at all when `heardText` is empty. */
  turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void>;
  /** A stored turn was heard to its end. */
  turnPlayed(seq: number, playedAt: number): Promise<void>;
  toolCall(call: RecordedToolCall): Promise<void>;
  /** The customer asked never to be called again. */
  stopCalling(): Promise<void>;
}

/** Hands what happens to the recorder one by one, without holding up the conversation. */
export class RecordingQueue {
  private readonly logger = new Logger(RecordingQueue.name);
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly recorder: ConversationRecorder) {}

  push(record: (recorder: ConversationRecorder) => Promise<void>): void {
    this.last = this.last
      .then(() => record(this.recorder))
      // A call goes on although a line of it could not be stored. The text of the error may quote that line.
      .catch((error: unknown) =>
        this.logger.error(`Not stored: ${error instanceof Error ? error.name : 'error'}`),
      );
  }

  /** Resolves when everything was handed over. */
  flushed(): Promise<void> {
    return this.last;
  }
}
