import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import { inSpan } from '#src/common/tracing/tracing.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallView } from '../calls/call.view.js';
import { LeadAppointmentsService } from '../leads/lead-appointments.service.js';
import { type AnsweringModel, LanguageModel } from '../llm/language-model.js';
import type { AudioLine } from '#src/modules/media/audio-line.js';
import type { CallSession } from '../telephony/call-session.js';
import { type AudioSession, CallVoicesService, type VoicedPlan } from './call-voices.service.js';
import { ConversationMetricsService } from './conversation-metrics.service.js';
import { ConversationRecordsService } from './conversation-records.service.js';
import { Clock } from './engine/clock.js';
import { ConversationEngine } from './engine/conversation-engine.js';
import {
  type ConversationResult,
  type ConversationSettings,
  resultOf,
} from './engine/conversation-settings.js';
import type { AgreeCallback } from './engine/tool-runner.js';
import type { EarlierConversation } from './engine/earlier-conversation.js';
import { PacedModel } from './engine/paced-model.js';
import { VisitorAllowances } from './engine/visitor-allowance.js';
import { ObservedRecorder } from './observed-recorder.js';
import { HttpToolRunner } from './http-tool-runner.js';

/** Loading the client of the model takes about 100 ms, which the start and its first requests would wait for. */
const WARM_AFTER_MS = 1_000;

/** Runs the conversations of this process. */
@Injectable()
export class LiveConversationsService implements OnApplicationBootstrap, OnModuleDestroy {
  private warming: NodeJS.Timeout | undefined;
  private readonly visitors = new VisitorAllowances();

  constructor(
    private readonly records: ConversationRecordsService,
    private readonly clock: Clock,
    private readonly model: LanguageModel,
    private readonly http: OutboundHttpService,
    private readonly metrics: ConversationMetricsService,
    private readonly appointments: LeadAppointmentsService,
    private readonly voices: CallVoicesService,
  ) {}

  /** The first customer of a process would wait for it. */
  onApplicationBootstrap(): void {
    this.warming = setTimeout(() => void this.model.warm(null).catch(() => undefined), WARM_AFTER_MS);
    this.warming.unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.warming);
  }

  /**
   * Resolves when the conversation is over or its session is lost; only the former ends the call.
   *
   * @param documentAt as in `CarrierCallHandler.converse`
   */
  async runConversation(
    call: CallView,
    plan: { assistant: AssistantView; settings: ConversationSettings },
    session: CallSession,
    documentAt: number,
    model: AnsweringModel = this.model,
  ): Promise<void> {
    const attributes = {
      'call.id': call.id,
      'account.id': call.accountId,
      'assistant.id': plan.assistant.id,
    };
    this.metrics.began();
    try {
      await inSpan('call', { root: true, attributes }, async (span) => {
        const { reason } = await this.converse(call, plan, { session, model }, documentAt);
        span.setAttribute('call.end', reason);
      });
    } finally {
      this.metrics.ended();
    }
  }

  /**
   * The same over the audio of a call, with a realtime model or speech providers. The line stays open: `hangUp` of the
   * returned session ends it. With `failed` the model or a provider was lost, and the call can go on without.
   *
   * @param noticeSaid the carrier said the notice before it opened the line
   */
  async runOverAudio(
    call: CallView,
    plan: VoicedPlan & { settings: ConversationSettings },
    line: AudioLine,
    { documentAt, noticeSaid }: { documentAt: number; noticeSaid: boolean },
  ): Promise<AudioSession> {
    const { realtime: metrics } = this.metrics;
    const { session, model } = await this.voices.open(call.id, line, plan, metrics);
    const spoken = { ...plan, settings: { ...plan.settings, noticeSaid } };
    try {
      await this.runConversation(call, spoken, session, documentAt, model);
    } finally {
      if (plan.realtime) metrics.ended(session.failed);
    }
    return session;
  }

  private async converse(
    call: CallView,
    { assistant, settings }: { assistant: AssistantView; settings: ConversationSettings },
    { session, model }: { session: CallSession; model: AnsweringModel },
    documentAt: number,
  ): Promise<ConversationResult> {
    if (model === this.model) void this.model.warm(settings.model).catch(() => undefined);
    const records = await this.records.claimRecords(call, settings, documentAt);
    if (!records) {
      session.end('line_lost');
      return resultOf('line_lost');
    }
    const { recorder: stored, earlier } = records;
    const recorder = new ObservedRecorder(stored, this.metrics, earlier?.history.at(-1)?.seq ?? 0);
    const { clock } = this;
    const tools = new HttpToolRunner(this.http, assistant.tools);
    const agreeCallback: AgreeCallback = async (at) =>
      call.leadId === null
        ? 'gone'
        : this.appointments.agree(call.accountId, call.leadId, call.clientPhoneNumber, at);
    const allowance =
      call.visitor === null
        ? null
        : this.visitors.of(`${call.accountId} ${call.visitor}`, charactersOf(earlier));
    const parts = {
      clock,
      session,
      model: allowance ? new PacedModel(model, clock, allowance) : model,
      tools,
      recorder,
      agreeCallback,
      allowance,
    };
    const engine = new ConversationEngine(parts, settings, earlier);
    return engine.run();
  }
}

/** What the customer has said in it. */
const charactersOf = (earlier: EarlierConversation | null): number =>
  (earlier?.history ?? []).reduce(
    (sum, entry) => sum + (entry.role === 'customer' ? entry.text.length : 0),
    0,
  );
