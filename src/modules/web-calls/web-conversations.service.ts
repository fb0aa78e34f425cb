import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { WebCallStateService } from '../calls/web-call-state.service.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { planConversation, type ConversationPlan } from '../conversations/conversation-plan.js';
import { greetingHeard } from '../conversations/earlier-turns.js';
import { LiveConversationsService } from '../conversations/live-conversations.service.js';
import { BrowserAudioLine } from './browser-audio-line.js';
import type { BrowserSocket } from './browser-socket.js';
import { BrowserTextSession } from './browser-text-session.js';
import { ENGINE_TYPE, notAppliedToAudio, notAppliedToText } from './web-call-settings.js';

/** What a browser can do: `text` also where an audio line is possible, e.g. without a microphone. */
export type WantedLine = 'audio' | 'text';

/** The conversations of web calls whose lines are open in this process. */
@Injectable()
export class WebConversationsService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly states: WebCallStateService,
    private readonly transcript: TranscriptRepository,
    private readonly live: LiveConversationsService,
  ) {}

  /** The call whose line is opened with this token; null: none waits for it. */
  openLine(token: string): Promise<CallView | null> {
    return this.states.openLine(token);
  }

  /**
   * Over its audio where the assistant has a realtime model, else in text. A call that loses the model goes on in text,
   * over the same socket. Resolves when the conversation is over, or its line is closed for good.
   */
  async converse(call: CallView, socket: BrowserSocket, wanted: WantedLine): Promise<void> {
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant) return new BrowserTextSession(socket).end('line_lost');
    const { realtime } = this.planOf(call, assistant, wanted === 'text');
    if (!realtime || (await this.converseOverAudio(call, assistant, socket)))
      await this.converseInText(call, assistant, socket);
  }

  /** @returns whether the model was lost, and the call can go on */
  private async converseOverAudio(
    call: CallView,
    assistant: AssistantView,
    socket: BrowserSocket,
  ): Promise<boolean> {
    const line = new BrowserAudioLine(socket);
    const { realtime, ...plan } = this.planOf(call, assistant, false);
    if (!realtime) return true;
    await this.calls.noteSettingsNotApplied(call.id, notAppliedToAudio(assistant));
    line.begin({ token: call.token, language: realtime.language });
    const options = { documentAt: line.openedAt, noticeSaid: false };
    const session = await this.live.runOverAudio(call, { ...plan, assistant, realtime }, line, options);
    if (session.failed) line.release();
    else session.hangUp();
    return session.failed && socket.open;
  }

  private async converseInText(
    call: CallView,
    assistant: AssistantView,
    socket: BrowserSocket,
  ): Promise<void> {
    const plan = this.planOf(call, assistant, true);
    const session = new BrowserTextSession(socket);
    await this.calls.noteSettingsNotApplied(call.id, notAppliedToText(assistant));
    const turns = await this.transcript.turns(call.id);
    session.begin(
      { token: call.token, language: plan.relay.language, rate: assistant.speechSpeed },
      greetingHeard(turns) ? null : plan.relay.greeting,
      { interruptible: assistant.allowInterruptions, preemptible: false },
    );
    await this.live.runConversation(call, { ...plan, assistant }, session, session.openedAt);
  }

  keepLines(ids: readonly number[]): Promise<void> {
    return this.states.keepLines(ids);
  }

  closeLine({ id, token }: CallView, lost: boolean): Promise<void> {
    return this.states.closeLine(id, token, { lost });
  }

  /** A web call is not recorded, and nobody can be called from it. */
  private planOf(call: CallView, assistant: AssistantView, inText: boolean): ConversationPlan {
    return planConversation({ ...assistant, recordCall: false, transferNumbers: [] }, call, {
      withoutRealtime: inText || call.settingsNotApplied.includes(ENGINE_TYPE),
      aiDisclosure: this.settings.calls.aiDisclosure,
      fallbackAfterMs: this.settings.model.fallbackSeconds * 1000,
      now: new Date(),
      speaks: () => true,
    });
  }
}
