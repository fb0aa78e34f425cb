import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { CallStateService } from '../calls/call-state.service.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import type { CallView } from '../calls/call.view.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import type { CallSession } from '../telephony/call-session.js';
import { CallRecorder } from './call-recorder.js';
import { Clock } from './engine/clock.js';
import { ConversationEngine } from './engine/conversation-engine.js';
import type {
  ConversationSettings,
  EarlierConversation,
  HistoryEntry,
} from './engine/conversation-settings.js';
import { HttpToolRunner } from './tool-request.js';
import { LanguageModel } from '../llm/language-model.js';

/** Runs the conversations of this process. */
@Injectable()
export class LiveConversationsService {
  constructor(
    private readonly db: DataSource,
    private readonly clock: Clock,
    private readonly model: LanguageModel,
    private readonly http: OutboundHttpService,
    private readonly transcript: TranscriptRepository,
    private readonly callState: CallStateService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** Resolves when the conversation is over or its session is lost; only the former ends the call. */
  async runConversation(
    call: CallView,
    assistant: AssistantView,
    settings: ConversationSettings,
    session: CallSession,
  ): Promise<void> {
    const parts = {
      clock: this.clock,
      session,
      model: this.model,
      tools: new HttpToolRunner(this.http, assistant.tools),
      recorder: new CallRecorder(call.id, this.transcript, () => this.suppress(call)),
    };
    const engine = new ConversationEngine(parts, settings, await this.earlier(call));
    const { endedBy, reason } = await engine.run();
    if (reason !== 'line_lost') await this.callState.markEnded(call.id, endedBy, reason);
  }

  /** The turns stored before the session broke; null for a new conversation. */
  private async earlier(call: CallView): Promise<EarlierConversation | null> {
    const [turns, runs] = await Promise.all([
      this.transcript.turns(call.id),
      this.transcript.toolRuns(call.id),
    ]);
    if (turns.length === 0) return null;
    const history: HistoryEntry[] = [
      ...turns.map(({ seq, role, text }) => ({ role, seq, text })),
      ...runs.map(({ seq, toolName, arguments: args, answer }) => ({
        role: 'tool' as const,
        seq,
        name: toolName,
        arguments: args,
        answer,
      })),
    ];
    const since = call.answeredAt ?? call.createdAt;
    const elapsedSeconds = Math.max(0, (this.clock.now() - since.getTime()) / 1000);
    return { history: history.sort((a, b) => a.seq - b.seq), elapsedSeconds };
  }

  private suppress({ accountId, clientPhoneNumber }: CallView): Promise<void> {
    const reason = 'Asked on a call not to be called again';
    return this.db.transaction(async (tx) => {
      await this.suppressions.addSuppression(tx, {
        accountId,
        phoneNumber: clientPhoneNumber,
        reason,
        source: 'call',
      });
    });
  }
}
