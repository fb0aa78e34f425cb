import { Logger } from '@nestjs/common';
import type { ConversationRecorder } from './conversation-recorder.js';

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
