import type { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import type { ConversationRecorder, RecordedToolCall, RecordedTurn } from './engine/conversation-recorder.js';

const TRIES = 5;
const PAUSE_MS = 500;

/** Stores a conversation while it takes place; writes are repeated during a short database outage. */
export class CallRecorder implements ConversationRecorder {
  constructor(
    private readonly callId: number,
    private readonly transcript: TranscriptRepository,
    private readonly suppress: () => Promise<void>,
  ) {}

  turn({ seq, role, text, timings, interrupted }: RecordedTurn): Promise<void> {
    const turn = { seq, role, text, interrupted, timings: { ...timings } as Record<string, number> };
    return insist(() => this.transcript.saveTurn(this.callId, turn));
  }

  turnCut(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    return insist(() => this.transcript.cutTurn(this.callId, seq, heardText, interruptedAt));
  }

  turnPlayed(seq: number, playedAt: number): Promise<void> {
    return insist(() => this.transcript.markPlayed(this.callId, seq, playedAt));
  }

  toolCall({ seq, name, arguments: given, outcome, answer }: RecordedToolCall): Promise<void> {
    const { ok, durationMs, statusCode } = outcome;
    const run = { seq, toolName: name, arguments: given ?? {}, answer, ok, durationMs, statusCode };
    return insist(() =>
      this.transcript.saveToolRun(this.callId, { ...run, error: outcome.ok ? null : outcome.error }),
    );
  }

  stopCalling(): Promise<void> {
    return insist(this.suppress);
  }
}

async function insist(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
    }
  }
}
