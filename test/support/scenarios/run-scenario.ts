import type { WebSocket } from 'ws';
import { FakeClock, flushPromises } from '#src/modules/conversations/engine/clock.fake.js';
import { FakePhoneLine, FakeRealtimeModel } from '#src/modules/conversations/realtime/realtime.fake.js';
import { toTranscript } from '#src/modules/calls/wrap-up/transcript.repository.js';
import { RelayCallSession } from '#src/modules/telephony/twilio/relay-call-session.js';
import { parseSessionBreaks } from '#src/modules/telephony/twilio/session-breaks.js';
import { answerAttributes } from './answer-attributes.js';
import { CallStore, TOKEN } from './call-store.js';
import { UNCHANGED, type Mutation } from './mutation.js';
import { isAudio, REALTIME_MODEL } from './multimodal-scenarios.js';
import { answerDelays, type Observation } from './observation.js';
import { readAssistant, type ReadAssistant } from './read-assistant.js';
import type { Attributes } from './customer-line.js';
import { milliseconds, type Line, type Moment, type Scenario } from './scenario.types.js';
import { ScriptedAudioLine } from './scripted-audio-line.js';
import { ScriptedPerson } from './scripted-person.js';
import { ScriptPlayer } from './script-player.js';
import { ScriptedLine } from './scripted-line.js';
import { ScriptedModel } from './scripted-model.js';
import { ScriptedRealtime } from './scripted-realtime.js';
import { ScriptedTools } from './scripted-tools.js';
import { ServiceParts } from './service-parts.js';

const SID = `CA${'1'.repeat(32)}`;
const SESSION_PATH = /\/(?:relay|stream)\/([\w-]+)(?:\/(\d+))?$/;
const STEP_MS = 500;
/** Between the carrier and the service. */
const NETWORK_MS = 50;
const REFUSED_VOICE = 64101;
/** A line that is sent the same document again and again is given up. */
const MAX_DOCUMENTS = 12;
const MULTIMODAL = { engine_type: 'multimodal', llm_model: REALTIME_MODEL };

/** Plays one scenario from the request that creates its assistant to the end of the call, in virtual time. */
export async function runScenario(
  scenario: Scenario,
  line: Line,
  mutation: Mutation = UNCHANGED,
): Promise<Observation> {
  const mode = isAudio(line) ? MULTIMODAL : {};
  const assistant = await readAssistant({ ...scenario.assistant, ...mode }, scenario.tools);
  return new Call(scenario, line, mutation, assistant).run();
}

class Call {
  private readonly clock: FakeClock;
  private readonly store: CallStore;
  private readonly model: ScriptedModel;
  private readonly tools: ScriptedTools;
  private readonly line: ScriptedLine | ScriptedAudioLine;
  private readonly script: ScriptPlayer;
  private readonly parts: ServiceParts;
  private readonly person: ScriptedPerson;
  private readonly documents: Attributes[] = [];
  private placed: Record<string, unknown> = {};
  private conversation: Promise<void> = Promise.resolve();
  private startedAt = 0;
  private endedAt: number | null = null;
  /** What follows when the carrier has said a text. */
  private afterText: (() => Promise<void>) | null = null;

  constructor(
    private readonly scenario: Scenario,
    line: Line,
    private readonly mutation: Mutation,
    private readonly assistant: ReadAssistant,
  ) {
    const { call: facts, model } = scenario;
    const { view } = assistant;
    this.clock = new FakeClock(Date.parse(facts.answered_at));
    this.store = new CallStore(this.clock);
    this.model = new ScriptedModel(this.clock, model, () => this.script.happened('model is asked'));
    const events = {
      moment: (moment: Moment) => this.happened(moment),
      ended: () => void this.sessionEnded(),
    };
    const realtime = new ScriptedRealtime(this.model, facts.ms_per_character);
    this.line =
      line === 'audio' || line === 'difficult'
        ? new ScriptedAudioLine(this.clock, facts, realtime, events)
        : new ScriptedLine(this.clock, facts, line, events);
    this.script = new ScriptPlayer(this.clock, scenario.script, this.line, {
      hangUp: () => this.hangUp(),
      machine: (answeredBy) => this.machine(answeredBy),
      lineError: (code) => this.lineError(code),
      person: (step) => this.person.act(step),
    });
    this.tools = new ScriptedTools(this.clock, view.tools, scenario, () =>
      this.script.happened('tool starts'),
    );
    this.parts = new ServiceParts({
      clock: this.clock,
      facts,
      assistant: view,
      store: this.store,
      model: this.model,
      realtime: isAudio(line) ? realtime : Object.assign(new FakeRealtimeModel(), { isAway: true }),
      tools: this.tools,
      mutation,
      endCall: () => void this.hangUp(),
      redirectCall: () => void this.redirect(),
    });
    const go = (next: string | null) => (next === null ? this.over() : this.follow(next));
    this.person = new ScriptedPerson(SID, this.parts.callbacks, go);
  }

  async run(): Promise<Observation> {
    const { outcome, until } = this.scenario.call;
    this.startedAt = this.clock.now();
    const answered = await this.answer();
    if (outcome === 'answered') {
      // Not awaited: a line that fails at once needs the clock to go on.
      const opened = this.follow(answered);
      await flushPromises();
      void this.script.play(this.startedAt);
      const limit = this.startedAt + milliseconds(until);
      while (this.endedAt === null && this.clock.now() < limit) await this.clock.advance(STEP_MS);
      // A script that ends before its call: the customer hangs up.
      await this.hangUp();
      await this.clock.advance(STEP_MS);
      await opened;
    }
    await this.conclude();
    return this.observation();
  }

  /** The call is placed or comes in. @returns the answer document */
  private async answer(): Promise<string> {
    const { direction, customer, assistant, outcome, attestation } = this.scenario.call;
    const { callbacks } = this.parts;
    const verstat: Record<string, string> = attestation === undefined ? {} : { StirVerstat: attestation };
    if (direction === 'inbound')
      return callbacks.planIncomingCall({ CallSid: SID, From: customer, To: assistant, ...verstat });
    this.placed = await this.parts.placeCall();
    if (outcome === 'answered') return callbacks.planAnsweredCall(TOKEN, { CallSid: SID });
    await callbacks.applyCallStatus(TOKEN, { CallSid: SID, CallStatus: outcome });
    return '';
  }

  /** Does what a document says. */
  private async follow(document: string): Promise<void> {
    const attributes = this.mutation.attributes(answerAttributes(document));
    this.documents.push(attributes);
    if (attributes.has('Number')) {
      this.person.called(attributes);
      return this.script.happened('person is called');
    }
    const url = attributes.get('Stream.url') ?? attributes.get('ConversationRelay.url') ?? '';
    const [, token, documentAt = '0'] = SESSION_PATH.exec(url) ?? [];
    const text = attributes.get('Say');
    const { line } = this;
    const stream = (): Promise<void> => this.stream(line, Number(documentAt));
    if (text) return this.announce(text, attributes, token === undefined ? null : stream);
    if (attributes.has('Stream.url')) return stream();
    if (line instanceof ScriptedAudioLine) return this.over();
    if (token === undefined || this.documents.length > MAX_DOCUMENTS) return this.over();
    const { first_error: firstError, refuses_voice: refusesVoice } = this.scenario.call;
    if (refusesVoice && attributes.has('Language.voice')) return this.lineError(REFUSED_VOICE);
    if (firstError !== null && this.documents.length === 1) return this.lineError(firstError);
    const socket = line.connect(attributes);
    const session = new RelayCallSession(socket as unknown as WebSocket, this.clock.now());
    this.conversation = this.conversation.then(() =>
      this.parts.gateway.calls.runConversation(token, session, Number(documentAt)),
    );
    await flushPromises();
    line.greet(SID);
  }

  /** On a relay's line there is no realtime model: the service closes the stream, and goes on over the relay. */
  private async stream(line: ScriptedLine | ScriptedAudioLine, documentAt: number): Promise<void> {
    const { calls } = this.parts.gateway;
    if (line instanceof ScriptedAudioLine) {
      line.open();
      this.conversation = this.conversation.then(() => calls.runAudioConversation(TOKEN, line, documentAt));
      return flushPromises();
    }
    await calls.runAudioConversation(TOKEN, new FakePhoneLine(), this.clock.now());
    await this.ask({ CallSid: SID, CallStatus: 'in-progress' });
  }

  /** The service has the carrier leave the session and ask for instructions again. */
  private async redirect(): Promise<void> {
    this.line.disconnect();
    await this.network();
    await this.follow(await this.parts.callbacks.planAnsweredCall(TOKEN, { CallSid: SID }));
  }

  /** @param next opens the session that the document goes on with; null: it has none */
  private announce(text: string, attributes: Attributes, next: (() => Promise<void>) | null): void {
    this.afterText = async () => {
      if (next) return next();
      if (attributes.has('Redirect')) await this.parts.callbacks.planAfterMessage(TOKEN);
      await this.over();
    };
    this.line.announce(text, attributes.get('Say.language') ?? '');
  }

  private happened(moment: Moment): void {
    const next = moment === 'assistant has spoken' ? this.afterText : null;
    if (next) this.afterText = null;
    void next?.();
    this.script.happened(moment);
  }

  private async sessionEnded(): Promise<void> {
    this.line.speech.stop();
    await this.network();
    this.line.disconnect();
    await this.conversation;
    await this.ask({ CallSid: SID, CallStatus: 'in-progress', ...this.line.handoff });
  }

  private async lineError(code: number): Promise<void> {
    this.line.disconnect();
    await this.network();
    const form = {
      CallSid: SID,
      CallStatus: 'in-progress',
      SessionStatus: 'failed',
      ErrorCode: String(code),
    };
    await this.ask(form);
  }

  /** The carrier posts to the URL that the last document names; without one the call is over. */
  private async ask(form: Record<string, string>): Promise<void> {
    const action = this.documents.at(-1)?.get('Connect.action');
    if (action === undefined) return this.over();
    const earlier = parseSessionBreaks(Object.fromEntries(new URL(action).searchParams));
    await this.follow(await this.parts.callbacks.planAfterSession(TOKEN, form, earlier));
  }

  private async machine(answeredBy: string): Promise<void> {
    await this.parts.callbacks.applyMachineDetection(TOKEN, { CallSid: SID, AnsweredBy: answeredBy });
  }

  private async hangUp(): Promise<void> {
    if (this.endedAt !== null) return;
    this.line.disconnect();
    await this.person.customerHungUp();
    await this.over();
  }

  private async over(): Promise<void> {
    this.endedAt ??= this.clock.now() - this.startedAt;
    const form = { CallSid: SID, CallStatus: 'completed' };
    await this.parts.callbacks.applyCallStatus(TOKEN, form);
  }

  /** What the wrap-up does, without prices and evaluation. */
  private async conclude(): Promise<void> {
    const { call } = this.store;
    const { callbacks, webhooks } = this.parts;
    if (!call) return;
    await this.conversation;
    if (this.documents.some((document) => document.has('Recording.recordingStatusCallback'))) {
      await callbacks.addRecording(TOKEN, { CallSid: SID, RecordingUrl: 'https://carrier.example.com/RE1' });
    }
    call.transcript = toTranscript(this.store.transcript);
    const event = { payload: { callId: call.id } } as Parameters<typeof webhooks.onCallCompleted>[0];
    if (call.answeredAt) await webhooks.onCallCompleted(event);
    else await webhooks.onCallUnanswered(event);
  }

  private network(): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, NETWORK_MS));
  }

  private observation(): Observation {
    const { store, line, model, tools, parts, startedAt } = this;
    const said = line.said.map((one) => ({
      ...one,
      begins: one.begins - startedAt,
      ends: one.ends - startedAt,
    }));
    return {
      said,
      asked: model.requests,
      unasked: this.scenario.model.length - model.requests.length,
      transcript: store.call?.transcript.split('\n').filter(Boolean) ?? [],
      call: store.call,
      endedAt: this.endedAt,
      answerDelays: answerDelays(said, line.prompts, startedAt),
      keys: line.keysPressed.map(({ digits, at }) => ({ digits, at: at - startedAt })),
      toolRuns: store.toolRuns,
      toolRequests: tools.requests,
      documents: this.documents,
      settingsNotApplied: store.settingsNotApplied,
      suppressed: parts.suppressed,
      callbacks: parts.appointed,
      placed: this.placed,
      webhooks: parts.deliveries.map(({ event, url, payload }) => ({
        event,
        url,
        recording: (payload as { recording_url: string | null }).recording_url !== null,
      })),
      assistant: this.assistant.response,
    };
  }
}
