import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { runInSpan } from '#src/common/tracing/tracing.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { LeadAppointmentsService } from '../leads/lead-appointments.service.js';
import { type StreamingModel, LanguageModel } from '../llm/language-model.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession } from '../telephony/call-session.js';
import { AssistantFunctionsService } from './assistant-functions.service.js';
import { type AudioSession, CallSpeechService, type CallSpeechPlan } from './call-speech.service.js';
import { redactConversation } from './conversation-redaction.js';
import { ConversationMetricsService } from './conversation-metrics.service.js';
import { ConversationRecordsService } from './conversation-records.service.js';
import { Clock } from './engine/clock.js';
import { ConversationEngine } from './engine/conversation-engine.js';
import {
  type ConversationResult,
  type ConversationSettings,
  toConversationResult,
} from './engine/conversation-settings.js';
import type { BookCallback } from './engine/tool-runner.js';
import type { EarlierConversation } from './engine/earlier-conversation.js';
import { RateLimitedModel } from './engine/rate-limited-model.js';
import { type VisitorInputLimit, VisitorInputLimits } from './engine/visitor-input-limit.js';
import { ObservedRecorder } from './observed-recorder.js';

/** Loading the client of the model takes about 100 ms, which would delay the start and its first requests. */
const WARM_AFTER_MS = 1_000;

/** Runs the conversations of this process. */
@Injectable()
export class ConversationRunnerService implements OnApplicationBootstrap, OnModuleDestroy {
  private warmTimer: NodeJS.Timeout | undefined;
  private readonly visitors = new VisitorInputLimits();

  constructor(
    private readonly records: ConversationRecordsService,
    private readonly clock: Clock,
    private readonly model: LanguageModel,
    private readonly functions: AssistantFunctionsService,
    private readonly metrics: ConversationMetricsService,
    private readonly appointments: LeadAppointmentsService,
    private readonly speech: CallSpeechService,
  ) {}

  /** Loads the model's client before the first customer. */
  onApplicationBootstrap(): void {
    this.warmTimer = setTimeout(() => void this.model.warm(null).catch(() => undefined), WARM_AFTER_MS);
    this.warmTimer.unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.warmTimer);
  }

  /**
   * Resolves when the conversation has ended or its session is lost; only the former ends the call.
   *
   * @param documentAt as in `CarrierCallHandler.converse`
   * @param parts of a session over audio
   */
  async runConversation(
    call: CallView,
    plan: { assistant: AssistantView; settings: ConversationSettings },
    session: CallSession,
    documentAt: number,
    { model = this.model, allowance = this.allowanceFor(call) }: Partial<LimitedModel> = {},
  ): Promise<void> {
    const attributes = {
      'call.id': call.id,
      'account.id': call.accountId,
      'assistant.id': plan.assistant.id,
    };
    this.metrics.incrementRunning();
    try {
      await runInSpan('call', { root: true, attributes }, async (span) => {
        const { reason } = await this.runEngine(call, plan, { session, model, allowance }, documentAt);
        span.setAttribute('call.end', reason);
      });
    } finally {
      this.metrics.decrementRunning();
    }
  }

  /**
   * The same over the audio of a call, with a realtime model or speech providers. The line stays open: `hangUp` of the
   * returned session ends it. With `failed` the model or a provider failed, and the call can continue without it.
   *
   * @param noticeSaid whether the carrier spoke the notice before it opened the line
   */
  async runAudioConversation(
    call: CallView,
    plan: CallSpeechPlan & { settings: ConversationSettings },
    line: AudioLine,
    { documentAt, noticeSaid }: { documentAt: number; noticeSaid: boolean },
  ): Promise<AudioSession> {
    const { realtime: metrics } = this.metrics;
    const allowance = this.allowanceFor(call);
    const takesUtterance = allowance ? () => allowance.admits(this.clock.now()) : undefined;
    const { session, model } = await this.speech.openSession(call.id, line, plan, metrics, takesUtterance);
    const started = { ...plan, settings: { ...plan.settings, noticeSaid } };
    try {
      await this.runConversation(call, started, session, documentAt, {
        model: model ?? this.model,
        allowance,
      });
    } finally {
      if (plan.realtime) metrics.countClosed(session.failed);
    }
    return session;
  }

  private async runEngine(
    call: CallView,
    { assistant, settings }: { assistant: AssistantView; settings: ConversationSettings },
    { session, model, allowance }: { session: CallSession } & LimitedModel,
    documentAt: number,
  ): Promise<ConversationResult> {
    if (model === this.model) void this.model.warm(settings.model).catch(() => undefined);
    const records = await this.records.claimRecords(call, settings, documentAt);
    if (!records) {
      session.end('line_lost');
      return toConversationResult('line_lost');
    }
    const { recorder: stored, earlier, isReportedPerson } = records;
    const redacted = redactConversation(assistant, call, {
      recorder: stored,
      tools: this.functions.toolRunner(assistant),
    });
    const lastSeq = earlier?.history.at(-1)?.seq ?? 0;
    const recorder = new ObservedRecorder(redacted.recorder, this.metrics, lastSeq);
    const { clock } = this;
    const knowledge = await this.functions.openKnowledge(assistant, {
      assistantId: assistant.id,
      callId: call.id,
      chatId: null,
      asStored: redacted.asStored,
    });
    const bookCallback: BookCallback = async (at) =>
      call.leadId === null
        ? 'gone'
        : this.appointments.scheduleOnCall(call.accountId, call.leadId, call.clientPhoneNumber, at);
    allowance?.resume(customerCharacters(earlier));
    const parts = {
      clock,
      session,
      model: allowance ? new RateLimitedModel(model, clock, allowance) : model,
      tools: redacted.tools,
      redactor: redacted.redactor,
      recorder,
      isReportedPerson,
      bookCallback,
      allowance,
      knowledge: knowledge.searched,
    };
    const known = { ...settings, systemPrompt: knowledge.addTo(settings.systemPrompt) };
    const engine = new ConversationEngine(parts, known, earlier);
    return engine.run();
  }

  private allowanceFor({ accountId, visitor }: CallView): VisitorInputLimit | null {
    return visitor === null ? null : this.visitors.forVisitor(`${accountId} ${visitor}`);
  }
}

/** `allowance`: of a web page's visitor. */
interface LimitedModel {
  model: StreamingModel;
  allowance: VisitorInputLimit | null;
}

/** Number of characters in the customer's turns. */
const customerCharacters = (earlier: EarlierConversation | null): number =>
  (earlier?.history ?? []).reduce(
    (sum, entry) => sum + (entry.role === 'customer' ? entry.text.length : 0),
    0,
  );
