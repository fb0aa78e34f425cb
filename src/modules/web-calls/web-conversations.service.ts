import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { WebCallStateService } from '#src/modules/calls/states/web-call-state.service.js';
import { TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { CallSpeechService } from '../conversations/call-speech.service.js';
import { planConversation, type ConversationPlan } from '../conversations/conversation-plan.js';
import { isGreetingHeard } from '../conversations/earlier-turns.js';
import { ConversationRunnerService } from '../conversations/conversation-runner.service.js';
import type { SpeechPlan } from '../speech/speech-sessions.service.js';
import { BrowserAudioLine } from './browser-audio-line.js';
import type { BrowserSocket } from './browser-socket.js';
import { BrowserTextSession } from './browser-text-session.js';
import { notAppliedToText, notAppliedToWebCalls } from './web-call-settings.js';

/** The line that a browser requests: `text` also where an audio line is possible, e.g. without a microphone. */
export type RequestedLine = 'audio' | 'text';

/** The conversations of web calls whose lines are open in this process. */
@Injectable()
export class WebConversationsService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly states: WebCallStateService,
    private readonly transcript: TranscriptRepository,
    private readonly live: ConversationRunnerService,
    private readonly voices: CallSpeechService,
  ) {}

  /**
   * Over its audio where the assistant has a realtime model or speech providers, else in text. A call whose model
   * fails continues with the providers, and in text when they fail too, over the same socket. Resolves when the
   * conversation is over, or its line is closed for good.
   */
  async runConversation(call: CallView, socket: BrowserSocket, wanted: RequestedLine): Promise<void> {
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant) return new BrowserTextSession(socket).end('line_lost');
    if (wanted === 'text') await this.converseInText(call, assistant, socket);
    else await this.converseOverAudio(call, assistant, socket);
  }

  private async converseOverAudio(
    call: CallView,
    assistant: AssistantView,
    socket: BrowserSocket,
  ): Promise<void> {
    const withoutRealtime = !this.voices.usesRealtime(call);
    const speech = await this.voices.planProviders(call, assistant);
    const plan = { ...this.planOf(call, assistant, { withoutRealtime, speech }), assistant };
    if (!plan.realtime && !plan.speech) return this.converseInText(call, assistant, socket);
    const notApplied = [...this.voices.settingsNotApplied(plan), ...notAppliedToWebCalls(assistant)];
    await this.calls.storeSettingsNotApplied(call.id, notApplied);
    const line = new BrowserAudioLine(socket);
    line.sendReady({ token: call.token, language: plan.relay.language });
    const options = { documentAt: line.openedAt, noticeSaid: false };
    const session = await this.live.runAudioConversation(call, plan, line, options);
    if (!session.failed) return session.hangUp();
    session.release();
    const without = await this.voices.markFailed(call, plan);
    if (socket.open) await this.converseOverAudio({ ...without, token: call.token }, assistant, socket);
  }

  private async converseInText(
    call: CallView,
    assistant: AssistantView,
    socket: BrowserSocket,
  ): Promise<void> {
    const plan = this.planOf(call, assistant, { withoutRealtime: true, speech: null });
    const session = new BrowserTextSession(socket);
    await this.calls.storeSettingsNotApplied(call.id, notAppliedToText(assistant));
    const turns = await this.transcript.findTurns(call.id);
    session.sendReady(
      { token: call.token, language: plan.relay.language, rate: assistant.speechSpeed },
      isGreetingHeard(turns) ? null : plan.relay.greeting,
      { interruptible: assistant.allowInterruptions, preemptible: false },
    );
    await this.live.runConversation(call, { ...plan, assistant }, session, session.openedAt);
  }

  renewLines(ids: readonly number[]): Promise<void> {
    return this.states.renewLines(ids);
  }

  findDueHangUps(ids: readonly number[]): Promise<Set<number>> {
    return this.states.findDueHangUps(ids);
  }

  closeLine({ id, token }: CallView, lost: boolean): Promise<void> {
    return this.states.closeLine(id, token, { lost });
  }

  /** A web call is not recorded, and nobody can be called from it. */
  private planOf(
    call: CallView,
    assistant: AssistantView,
    voices: { withoutRealtime: boolean; speech: SpeechPlan | null },
  ): ConversationPlan {
    return planConversation({ ...assistant, recordCall: false, transferNumbers: [] }, call, {
      ...voices,
      aiDisclosure: this.settings.calls.aiDisclosure,
      fallbackAfterMs: this.settings.model.fallbackSeconds * 1000,
      now: new Date(),
      speaks: () => true,
    });
  }
}
