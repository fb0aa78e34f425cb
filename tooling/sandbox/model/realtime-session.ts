import type { ChatMessage, ChatRequest } from './chat-request.js';
import { decide, type Decision } from './policy.js';
import { quirksOf } from './quirks.js';
import { VoiceDetection } from './realtime-audio.js';
import type { ClientEvent, ResponseParams, SessionUpdate, TurnDetection } from './realtime-events.js';
import { RealtimeError } from './realtime-error.js';
import { Items, newId } from './realtime-items.js';
import { RealtimeResponse, type ResponseFlaw } from './realtime-response.js';
import { checkedEvent } from './realtime-rules.js';
import { RealtimeTranscription } from './realtime-transcription.js';

const MS_PER_CHARACTER = 60;
/** Of semantic turn detection; this model uses silence for it too. */
const EAGERNESS_MS = { high: 300, medium: 600, auto: 600, low: 1_200 };
/** The request for given words. */
const EXACTLY = /^Say exactly[^"]*"([^]*)"/;

const ONCE = ['stalls', 'breaks-off'] as const;
/** Of the rate limit of `limited`, since the first response. */
const LIMITED_MS = 1_200;

const DEFAULTS: SessionUpdate = {
  type: 'realtime',
  instructions: 'You are a helpful assistant.',
  audio: {
    input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad' } },
    output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'alloy', speed: 1 },
  },
};

/** One session of `/v1/realtime`: the conversation of the chat model, with recognition and synthesis. */
export class RealtimeSession {
  private settings: SessionUpdate = DEFAULTS;
  private readonly conversationId = newId('conv');
  private readonly items = new Items();
  private readonly active = new Set<RealtimeResponse>();
  private hasSpoken = false;
  private responses = 0;
  /** The item of the speech that is heard; null: none, or it is committed already. */
  private hearing: string | null = null;
  private readonly transcription: RealtimeTranscription;
  /** Time when the rate limit ends; null before the first response. */
  private limitedUntil: number | null = null;
  /** Flaws of this session that happen once and have happened. */
  private readonly happened = new Set<ResponseFlaw>();
  private readonly voice = new VoiceDetection({
    started: (audio_start_ms) => this.started(audio_start_ms),
    stopped: (audio_end_ms, text) => this.stopped(audio_end_ms, text),
  });

  constructor(
    private readonly model: string,
    /** Speed of speech as a multiple of real time. */
    private readonly speed: number,
    private readonly socket: { send(text: string): void; close(): void },
  ) {
    const loses = quirksOf(model).has('loses-words');
    this.transcription = new RealtimeTranscription({ speed, loses }, (event) => this.send(event));
    this.send({ type: 'session.created', session: this.toJson() });
  }

  /** A frame of the client; the response to an invalid one is an `error` event. */
  receive(frame: string): void {
    let given: unknown = null;
    try {
      given = JSON.parse(frame);
      this.handle(checkedEvent(given, this.model));
    } catch (error) {
      const refused =
        error instanceof RealtimeError
          ? error
          : new RealtimeError('The event is not valid JSON.', 'invalid_json');
      const id = (given as { event_id?: unknown } | null)?.event_id;
      this.send(refused.toEvent(typeof id === 'string' ? id : null));
    }
  }

  close(): void {
    this.transcription.close();
    for (const response of this.active) response.cancel();
  }

  private handle(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        return this.update(event.session);
      case 'input_audio_buffer.append':
        return this.voice.push(Buffer.from(event.audio, 'base64'));
      case 'input_audio_buffer.commit':
        return this.commit(this.voice.commit());
      case 'input_audio_buffer.clear':
        return this.send({ type: 'input_audio_buffer.cleared' });
      case 'conversation.item.create': {
        const { id } = this.items.create(event.item, event.previous_item_id);
        return this.added({ ...event.item, id });
      }
      case 'conversation.item.truncate': {
        const { item_id, content_index, audio_end_ms } = event;
        this.items.truncate(item_id, audio_end_ms);
        return this.send({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms });
      }
      case 'conversation.item.delete':
        this.items.remove(event.item_id);
        return this.send({ type: 'conversation.item.deleted', item_id: event.item_id });
      case 'response.create':
        return this.respond(event.response ?? {});
      case 'response.cancel':
        return this.cancel(event.response_id);
    }
  }

  private update(session: SessionUpdate): void {
    const { input, output } = session.audio ?? {};
    const spoken = this.settings.audio?.output?.voice;
    if (this.hasSpoken && output?.voice !== undefined && output.voice !== spoken) {
      const message = 'Cannot update a conversation’s voice if assistant audio is present.';
      throw new RealtimeError(message, 'cannot_update_voice', 'session.audio.output.voice');
    }
    const { audio } = this.settings;
    this.settings = {
      ...this.settings,
      ...session,
      audio: { input: { ...audio?.input, ...input }, output: { ...audio?.output, ...output } },
    };
    this.voice.hearIn(this.inputFormat);
    this.voice.silenceMs = silenceMs(this.settings.audio?.input?.turn_detection ?? null);
    this.send({ type: 'session.updated', session: this.toJson() });
  }

  private respond(params: ResponseParams): void {
    const isOwn = params.conversation !== 'none';
    const running = [...this.active].find(({ isInConversation }) => isInConversation);
    if (isOwn && running) {
      const message = `Conversation already has an active response in progress: ${running.id}. Wait until the response is finished before creating a new one.`;
      throw new RealtimeError(message, 'conversation_already_has_active_response');
    }
    const request = this.requestOf(params);
    const limitedMs = this.limitedMs(isOwn);
    const { output } = this.settings.audio ?? {};
    const response = new RealtimeResponse(
      this.decide(request, params),
      {
        conversationId: isOwn ? this.conversationId : null,
        metadata: params.metadata ?? null,
        format: output?.format ?? { type: 'audio/pcm', rate: 24_000 },
        msPerCharacter: MS_PER_CHARACTER / (this.speed * (output?.speed ?? 1)),
        read: request.messages.reduce((sum, { content }) => sum + String(content ?? '').length, 0),
        limitedMs,
      },
      (event) => this.send(event),
      (item) => {
        this.hasSpoken ||= item.audioMs > 0;
        if (isOwn) this.items.add(item);
      },
    );
    this.responses += isOwn ? 1 : 0;
    if (quirksOf(this.model).has('breaks') && this.responses > 1) return this.socket.close();
    this.active.add(response);
    void response
      .run(limitedMs > 0 ? 'limited' : this.flawOf(isOwn))
      .finally(() => this.active.delete(response));
  }

  /** Milliseconds left of the rate limit, which begins with the first response of the conversation. */
  private limitedMs(isOwn: boolean): number {
    if (!quirksOf(this.model).has('limited')) return 0;
    if (isOwn) this.limitedUntil ??= performance.now() + LIMITED_MS;
    return Math.ceil(Math.max(0, (this.limitedUntil ?? 0) - performance.now()));
  }

  /** `stalls` and `breaks-off` happen once, in the first response of the conversation. */
  private flawOf(isOwn: boolean): ResponseFlaw | null {
    const quirks = quirksOf(this.model);
    if (quirks.has('fails')) return 'fails';
    const flaw = isOwn ? ONCE.find((one) => quirks.has(one) && !this.happened.has(one)) : undefined;
    if (flaw) this.happened.add(flaw);
    return flaw ?? null;
  }

  private cancel(id: string | undefined): void {
    const response = [...this.active].find((one) => (id ? one.id === id : one.isInConversation));
    if (!response)
      throw new RealtimeError('Cancellation failed: no active response found', 'response_cancel_not_active');
    response.cancel();
  }

  private requestOf({ input, instructions, tools, tool_choice: choice }: ResponseParams): ChatRequest {
    const own = this.settings.instructions ?? '';
    const given = instructions ?? own;
    const list = tools ?? this.settings.tools ?? [];
    const messages: ChatMessage[] = input ? itemsOf(input) : this.items.messages();
    const functions = list.map(({ type, ...rest }) => ({ type, function: rest }));
    const extra = given.startsWith(own) ? given.slice(own.length).trim() : '';
    return {
      model: this.model,
      messages: [
        { role: 'system', content: own },
        ...messages,
        // Instructions of a single response beside the session's apply to the current turn.
        ...(extra ? [{ role: 'system' as const, content: extra }] : []),
      ],
      ...(functions.length > 0 && { tools: functions }),
      tool_choice: typeof choice === 'string' ? choice : 'auto',
    };
  }

  private decide(request: ChatRequest, { instructions }: ResponseParams): Decision {
    const exact = EXACTLY.exec(instructions ?? '')?.[1];
    if (exact === undefined) return decide(request);
    return { content: quirksOf(this.model).has('rewords') ? `Certainly! ${exact}` : exact, calls: [] };
  }

  private get inputFormat() {
    return this.settings.audio?.input?.format ?? { type: 'audio/pcm' as const, rate: 24_000 };
  }

  private started(audio_start_ms: number): void {
    this.hearing = newId('item');
    this.send({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id: this.hearing });
    if (this.settings.audio?.input?.turn_detection?.interrupt_response !== false)
      for (const response of this.active) response.cancel();
  }

  private stopped(audio_end_ms: number, text: string): void {
    const item_id = (this.hearing ??= newId('item'));
    this.send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id });
    this.commit(text);
    if (this.settings.audio?.input?.turn_detection?.create_response !== false) this.respond({});
  }

  private commit(text: string): void {
    const item_id = this.hearing ?? newId('item');
    this.hearing = null;
    const previous_item_id = this.items.lastId;
    this.items.add({ id: item_id, message: { role: 'user', content: text }, audioMs: 0 });
    this.send({ type: 'input_audio_buffer.committed', item_id, previous_item_id });
    this.added({
      id: item_id,
      type: 'message',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    });
    if (this.settings.audio?.input?.transcription) this.transcription.transcribe(item_id, text);
  }

  private added(item: object): void {
    this.send({ type: 'conversation.item.added', previous_item_id: null, item });
    this.send({ type: 'conversation.item.done', previous_item_id: null, item });
  }

  private send(event: object): void {
    this.socket.send(JSON.stringify({ event_id: newId('event'), ...event }));
  }

  private toJson() {
    return { object: 'realtime.session', id: newId('sess'), model: this.model, ...this.settings };
  }
}

const silenceMs = (detection: TurnDetection | null): number | null => {
  if (detection?.type === 'semantic_vad') return EAGERNESS_MS[detection.eagerness ?? 'auto'];
  return detection && (detection.silence_duration_ms ?? 500);
};

function itemsOf(input: NonNullable<ResponseParams['input']>): ChatMessage[] {
  const items = new Items();
  for (const item of input) items.create(item);
  return items.messages();
}
