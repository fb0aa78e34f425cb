import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { LanguageModel } from '../llm/language-model.js';
import type { CallSession } from '../telephony/call-session.js';
import { ConversationRecordsService } from './conversation-records.service.js';
import { Clock } from './engine/clock.js';
import { ConversationEngine } from './engine/conversation-engine.js';
import type { ConversationSettings } from './engine/conversation-settings.js';
import { HttpToolRunner } from './tool-request.js';

/** Runs the conversations of this process. */
@Injectable()
export class LiveConversationsService implements OnApplicationBootstrap {
  constructor(
    private readonly records: ConversationRecordsService,
    private readonly clock: Clock,
    private readonly model: LanguageModel,
    private readonly http: OutboundHttpService,
  ) {}

  /** The first customer of a process would wait for it. */
  onApplicationBootstrap(): void {
    void this.model.warm(null).catch(() => undefined);
  }

  /**
   * Resolves when the conversation is over or its session is lost; only the former ends the call.
   *
   * @param documentAt as in `CallHandler.converse`
   */
  async runConversation(
    call: CallView,
    { assistant, settings }: { assistant: AssistantView; settings: ConversationSettings },
    session: CallSession,
    documentAt: number,
  ): Promise<void> {
    void this.model.warm(settings.model).catch(() => undefined);
    const { recorder, earlier } = await this.records.claimRecords(call, settings, documentAt);
    const { clock, model } = this;
    const tools = new HttpToolRunner(this.http, assistant.tools);
    const engine = new ConversationEngine({ clock, session, model, tools, recorder }, settings, earlier);
    await engine.run();
  }
}
