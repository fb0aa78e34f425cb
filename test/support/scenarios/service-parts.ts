import type { DrainService } from '#src/health/drain.service.js';
import { partialFake } from '#src/common/partial.fake.js';
import { Registry } from 'prom-client';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AccountsService, AccountView } from '#src/modules/accounts/accounts.service.js';
import type { AssistantView } from '#src/modules/assistants/assistant-view.js';
import type { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import { callBudget } from '#src/modules/accounts/call-budget.js';
import type { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import type { CallsRepository } from '#src/modules/calls/calls.repository.js';
import type { TranscriptRepository } from '#src/modules/calls/wrap-up/transcript.repository.js';
import { CallInstructionsService } from '#src/modules/conversations/call-instructions.service.js';
import { CallConversationsService } from '#src/modules/conversations/call-conversations.service.js';
import { CallSpeechService } from '#src/modules/conversations/call-speech.service.js';
import { ConversationMetricsService } from '#src/modules/conversations/conversation-metrics.service.js';
import { ConversationRecordsService } from '#src/modules/conversations/conversation-records.service.js';
import type { FakeClock } from '#src/modules/conversations/engine/clock.fake.js';
import { InboundCallsService } from '#src/modules/conversations/inbound-calls.service.js';
import { CarrierAnnouncementsService } from '#src/modules/conversations/carrier-announcements.service.js';
import { ConversationRunnerService } from '#src/modules/conversations/conversation-runner.service.js';
import { TransfersService } from '#src/modules/conversations/transfers.service.js';
import { VoicemailService } from '#src/modules/conversations/voicemail.service.js';
import { hasAssistantLeft } from '#src/modules/calls/states/call-transfers.js';
import type { CallTransfersService } from '#src/modules/calls/states/call-transfers.service.js';
import { CallerIds } from '#src/modules/assistants/caller-id.js';
import {
  machineDetectionFor,
  toCallRecord,
  ringTimeoutOf,
} from '#src/modules/dialer/outbound-calls.service.js';
import type { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import type { LeadAppointmentsService } from '#src/modules/leads/lead-appointments.service.js';
import type { LeadLookupService } from '#src/modules/leads/lead-lookup.service.js';
import type { LeadQueueService } from '#src/modules/leads/lead-queue.service.js';
import type { LanguageModel } from '#src/modules/llm/language-model.js';
import type { RealtimeModel } from '#src/modules/speech/realtime-model.js';
import type { SpeechSessionsService } from '#src/modules/speech/speech-sessions.service.js';
import type { SuppressionsService } from '#src/modules/suppressions/suppressions.service.js';
import type { RelaySettings } from '#src/modules/telephony/call-session.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import type { CallInstructions } from '#src/modules/telephony/carrier-reports.js';
import { fakeTelephonySettings } from '#src/modules/telephony/telephony.fake.js';
import { TwilioCallbacksController } from '#src/modules/telephony/twilio/twilio-callbacks.controller.js';
import type { CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { TwilioCarrierService } from '#src/modules/telephony/twilio/twilio-carrier.service.js';
import { TwilioUrlsService } from '#src/modules/telephony/twilio/twilio-urls.service.js';
import { CallWebhooksListener } from '#src/modules/webhooks/call-webhooks.listener.js';
import type { RecordingLinksService } from '#src/modules/recordings/recording-links.service.js';
import type { NewDeliveriesService } from '#src/modules/webhooks/delivery/new-deliveries.service.js';
import type { InboundCallWebhookService } from '#src/modules/webhooks/inbound-call-webhook.service.js';
import type { CallStore } from './call-store.js';
import { ACCOUNT_ID, assistantsOf, phoneNumbers } from './read-assistant.js';
import type { Mutation } from './mutation.js';
import type { CallFacts } from './scenario.types.js';
import type { ScriptedTools } from './scripted-tools.js';
import { inMemory, listening, type NewDelivery } from './in-memory.js';

const PRICE_PER_MINUTE = 50_000n;
const DEFAULT_RING_TIMEOUT_SECONDS = 30;
const PLENTY_OF_MINUTES = 1000;

/** What a fault run changes between the parts. */
export interface Outside {
  clock: FakeClock;
  facts: CallFacts;
  assistant: AssistantView;
  store: CallStore;
  model: LanguageModel;
  realtime: RealtimeModel;
  tools: ScriptedTools;
  mutation: Mutation;
  /** The carrier is asked to hang up. */
  endCall(): void;
  /** The carrier is asked to request instructions again. */
  redirectCall(): void;
}

/** The service's own classes from the plan to the answer document, wired as its modules do, with stores in memory. */
export class ServiceParts {
  readonly gateway = new CarrierGatewayService();
  readonly callbacks: TwilioCallbacksController;
  readonly webhooks: CallWebhooksListener;
  readonly deliveries: NewDelivery[] = [];
  readonly suppressed: string[] = [];
  readonly appointed: string[] = [];
  private isToHangUp = false;
  private readonly account = {
    id: ACCOUNT_ID,
    availableMicros: 0n,
    plan: { maxParallelCalls: 10, pricePerMinuteMicros: PRICE_PER_MINUTE } as AccountView['plan'],
  };

  constructor(private readonly outside: Outside) {
    const { facts, store, assistant } = outside;
    this.account.availableMicros = BigInt(facts.paid_minutes ?? PLENTY_OF_MINUTES) * PRICE_PER_MINUTE;
    const settings = fakeTelephonySettings();
    const urls = new TwilioUrlsService(settings);
    const carrier = new TwilioCarrierService(settings, urls);
    carrier.endCall = async () => outside.endCall();
    carrier.redirectCall = async () => outside.redirectCall();
    this.callbacks = new TwilioCallbacksController(
      this.gateway,
      urls,
      partialFake<DrainService>({ refusesIncomingCalls: false }),
    );
    const assistants = assistantsOf(assistant);
    const calls = store.calls as unknown as CallsRepository;
    const callState = {
      ...store.callState,
      scheduleHangUp: async (_id: number, seconds: number) =>
        this.hangUpIn(seconds, () => this.gateway.calls.shouldHangUp(store.call?.token ?? '')),
    } as unknown as CallStateService;
    const tamperedCarrier = Object.create(carrier, {
      settingsNotApplied: {
        value: (relay: RelaySettings) => carrier.settingsNotApplied(outside.mutation.relay(relay)),
      },
    }) as CarrierCalls;
    const rows = store.transcriptRows as unknown as TranscriptRepository;
    const lastWords = new CarrierAnnouncementsService(calls, callState, rows, outside.clock);
    const voices = new CallSpeechService(
      tamperedCarrier,
      calls,
      outside.realtime,
      partialFake<SpeechSessionsService>({ planProviders: async () => null }),
      outside.clock,
      ...listening,
    );
    const plans = new CallInstructionsService(
      {
        calls: { aiDisclosure: facts.disclosure, inboundBusy: 'reject' },
        model: { fallbackSeconds: 3 },
      } as RuntimeSettings,
      tamperedCarrier,
      assistants,
      rows,
      lastWords,
      outside.clock,
      voices,
    );
    const voicemailPlans = partialFake<CallInstructionsService>({
      planConversation: async (call) => {
        const plan = await plans.planConversation(call);
        return plan && { ...plan, ...outside.mutation.voicemail(plan) };
      },
    });
    const voicemail = new VoicemailService(
      voicemailPlans,
      callState,
      lastWords,
      carrier,
      calls,
      rows,
      outside.clock,
    );
    const service = new CallConversationsService(
      this.gateway,
      calls,
      callState,
      plans,
      this.live(calls, callState, voicemail, voices),
      this.inbound(assistants, calls, callState),
      voicemail,
    );
    const tampered = (plan: CallInstructions): CallInstructions =>
      plan.kind === 'converse' ? { ...plan, settings: outside.mutation.relay(plan.settings) } : plan;
    this.gateway.setCallHandler({
      planAnsweredCall: async (...request) => tampered(await service.planAnsweredCall(...request)),
      planIncomingCall: async (call) => tampered(await service.planIncomingCall(call)),
      applyReport: (report) => service.applyReport(report),
      shouldHangUp: (token) => service.shouldHangUp(token),
      runConversation: (token, session, documentAt) => service.runConversation(token, session, documentAt),
      runAudioConversation: (...conversation) => service.runAudioConversation(...conversation),
      onMessageSpoken: (token) => service.onMessageSpoken(token),
      planAfterSession: async (...request) => tampered(await service.planAfterSession(...request)),
      expectsSocket: (token) => service.expectsSocket(token),
    });
    const transfers = store.transfers as unknown as CallTransfersService;
    const people = new TransfersService(this.gateway, calls, callState, transfers, plans, outside.clock);
    this.gateway.setTransferHandler({
      applyTransferReport: (...report) => people.applyTransferReport(...report),
      planAfterTransfer: async (...request) => tampered(await people.planAfterTransfer(...request)),
    });
    this.webhooks = new CallWebhooksListener(
      calls,
      assistants,
      partialFake<LeadQueueService>({ findLeadView: async () => null }),
      {} as CampaignsService,
      partialFake<NewDeliveriesService>({
        wantsUnansweredCalls: async () => !outside.assistant.sendWebhookOnlyOnCompleted,
        createDelivery: async (one: NewDelivery) => void this.deliveries.push(one),
      }),
      partialFake<RecordingLinksService>({ createLink: ({ recordingUrl }) => recordingUrl }),
    );
  }

  /** Writes an outbound call as the dialer does. @returns what the carrier is asked for */
  async placeCall(): Promise<Record<string, unknown>> {
    const { assistant, facts, store } = this.outside;
    const from = (await new CallerIds(phoneNumbers).callerId(assistant)) ?? '';
    const budget = callBudget(this.account, assistant.maxCallDuration);
    if (!budget) throw new Error('the balance does not pay for a minute');
    const request = {
      campaign: null,
      leadId: facts.lead ? 1 : null,
      requestId: null,
      ringTimeoutSeconds: ringTimeoutOf(assistant, DEFAULT_RING_TIMEOUT_SECONDS),
    };
    const { customer: to, variables } = facts;
    const call = toCallRecord({ ...request, apiKeyId: null, assistant, from, to, variables, budget });
    await store.calls.insertCall?.({} as never, call);
    return this.outside.mutation.placed({
      from,
      to,
      ring_timeout: request.ringTimeoutSeconds,
      max_duration: budget.carrierLimitSeconds,
      machine_detection: machineDetectionFor(assistant, call),
    });
  }

  /** What call reconciliation does at that time, once and unless the call is screened or handed over. */
  private hangUpIn(seconds: number, isToHangUp: () => Promise<boolean>): void {
    const { clock, store, endCall } = this.outside;
    if (this.isToHangUp || store.isScreened) return;
    this.isToHangUp = true;
    clock.setTimeout(() => {
      this.isToHangUp = false;
      if (store.isScreened || (store.call && hasAssistantLeft(store.call))) return;
      void isToHangUp().then((isMachine) => {
        if (!isMachine) return;
        void store.callState.markEnded?.(0, 'system', 'voicemail');
        endCall();
      });
    }, seconds * 1000);
  }

  private live(
    calls: CallsRepository,
    callState: CallStateService,
    voicemail: VoicemailService,
    voices: CallSpeechService,
  ): ConversationRunnerService {
    const { clock, model, tools, store, mutation } = this.outside;
    const addSuppression = async (added: { phoneNumber: string }) =>
      void this.suppressed.push(added.phoneNumber);
    const suppressions = { addSuppression } as unknown as SuppressionsService;
    const records = new ConversationRecordsService(
      clock,
      store.transcriptRows as unknown as TranscriptRepository,
      calls,
      callState,
      store.transfers as unknown as CallTransfersService,
      suppressions,
      voicemail,
    );
    const metrics = new ConversationMetricsService(partialFake({ registry: new Registry() }));
    const live = new ConversationRunnerService(
      records,
      clock,
      model,
      tools.functions,
      metrics,
      this.appointments(),
      voices,
    );
    const run = live.runConversation.bind(live);
    live.runConversation = (call, { assistant, settings }, ...rest) =>
      run(call, { assistant, settings: mutation.settings(settings) }, ...rest);
    return live;
  }

  /** The lead exists, if the call has one. */
  private appointments(): LeadAppointmentsService {
    return partialFake<LeadAppointmentsService>({
      scheduleOnCall: async (_account: number, _lead: number, _number: string, at: Date) => {
        const aheadMs = at.getTime() - this.outside.clock.now();
        if (aheadMs <= 0) return 'past';
        if (aheadMs > 90 * 86_400_000) return 'far';
        this.appointed.push(at.toISOString());
        return null;
      },
    });
  }

  private inbound(assistants: AssistantsService, calls: CallsRepository, callState: CallStateService) {
    return new InboundCallsService(
      inMemory,
      { accountView: async () => this.account } as unknown as AccountsService,
      assistants,
      calls,
      callState,
      partialFake<LeadLookupService>({
        findOnlyLead: async () =>
          this.outside.facts.lead ? { id: 1, variables: { name: 'Grace of the lead' } } : null,
      }),
      partialFake<InboundCallWebhookService>({
        requestVariables: async () => this.outside.facts.variables,
      }),
    );
  }
}
