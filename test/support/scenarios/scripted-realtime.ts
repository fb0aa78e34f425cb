import type { ModelMessage, ModelTool } from '#src/modules/llm/language-model.js';
import {
  RealtimeModel,
  type RealtimeConnection,
  type RealtimeEvent,
  type RealtimeItem,
  type RealtimeRequest,
  type RealtimeSettings,
  type TurnDetection,
} from '#src/modules/speech/realtime-model.js';
import { audioMs } from '#src/modules/media/audio-line.js';
import type { Recognised } from './recognition.js';
import type { ScriptedModel } from './scripted-model.js';
import { SpeechAudio } from './speech-audio.js';
import { wordsOf } from './speech-queue.js';

/** Silence that ends a turn by its meaning. */
const EAGERNESS_MS = { high: 300, medium: 600, low: 1_200 };

interface Item {
  id: string;
  message: ModelMessage;
}

/**
 * A realtime model that gives the scenario's answers, each word with its audio. It keeps a conversation as the provider
 * does; the scripted model is asked with that, so that a scenario sees what the realtime model knows.
 */
export class ScriptedRealtime extends RealtimeModel {
  /** In which it listens, BCP 47. */
  language = '';
  private readonly audio: SpeechAudio;
  private readonly spoken = new Set<number>();
  private session: Session | null = null;
  private tell: (speech: number) => void = () => undefined;
  private speeches = 0;

  constructor(
    private readonly model: ScriptedModel,
    msPerCharacter: number,
  ) {
    super();
    this.audio = new SpeechAudio(msPerCharacter);
  }

  override async connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    this.language = settings.language;
    this.session = new Session(this, this.model, settings, onEvent);
    return this.session;
  }

  /** Whether all of a speech was sent. */
  hasSpoken(speech: number): boolean {
    return this.spoken.has(speech);
  }

  /** @param listener is told the number of each speech that is complete */
  onSpoken(listener: (speech: number) => void): void {
    this.tell = listener;
  }

  /** Silence that ends an utterance. */
  get silenceMs(): number {
    return this.session?.silenceMs ?? 0;
  }

  /** @returns the events of the utterance; null without a session */
  customerBegins(): Recognised | null {
    return this.session?.customerBegins() ?? null;
  }

  begin(): number {
    return ++this.speeches;
  }

  audioOf(word: string, speech: number): Buffer {
    return this.audio.encode(word, speech);
  }

  end(speech: number): void {
    this.spoken.add(speech);
    this.tell(speech);
  }
}

/** One connection, with the provider's conversation. */
class Session implements RealtimeConnection {
  private readonly items: Item[] = [];
  private readonly running = new Map<string, AbortController>();
  private instructions = '';
  private tools: readonly ModelTool[] = [];
  private isOpen = true;
  /** Of the customer's last turn. */
  private wordsKnown: Promise<void> = Promise.resolve();
  private reportKnown: () => void = () => undefined;
  private named = 0;

  constructor(
    private readonly voice: ScriptedRealtime,
    private readonly model: ScriptedModel,
    private readonly settings: RealtimeSettings,
    private readonly onEvent: (event: RealtimeEvent) => void,
  ) {}

  appendAudio(): void {}

  commitAudio(): void {}

  updateInstructions(instructions: string, tools: readonly ModelTool[]): void {
    this.instructions = instructions;
    this.tools = tools;
  }

  setTranscriptionLanguage(language: string): void {
    this.voice.language = language;
  }

  setTurnDetection(detection: TurnDetection): void {
    this.settings.turnDetection = detection;
  }

  addItem(item: RealtimeItem, after?: string | null): void {
    const at = after === undefined ? this.items.length : this.items.findIndex(({ id }) => id === after) + 1;
    this.items.splice(at, 0, { id: item.id, message: toMessage(item) });
  }

  /** Leaves the words whose audio ends by then. */
  truncateItem(itemId: string, endMs: number): void {
    const item = this.items.find(({ id }) => id === itemId);
    if (item?.message.role !== 'assistant') throw new Error('There is no such answer to be truncated');
    let atMs = 0;
    const heard = wordsOf(item.message.text).filter((word) => {
      atMs += audioMs(this.voice.audioOf(word, 0).length, 'pcmu-8000');
      return atMs <= endMs + 1;
    });
    item.message = { ...item.message, text: heard.join('') };
  }

  deleteItem(itemId: string): void {
    const at = this.items.findIndex(({ id }) => id === itemId);
    if (at >= 0) this.items.splice(at, 1);
  }

  createResponse(request: RealtimeRequest): void {
    const stop = new AbortController();
    this.running.set(request.response, stop);
    const { response } = request;
    const words = request.kind === 'sentence' ? this.sentence(request, stop) : this.answer(request, stop);
    void words
      .then((status) => this.report({ kind: 'done', response, status, usage: null }))
      .catch(() => this.report({ kind: 'done', response, status: 'failed', usage: null }))
      .finally(() => this.running.delete(response));
  }

  cancelResponse(response: string): void {
    this.running.get(response)?.abort();
  }

  close(): void {
    this.isOpen = false;
    for (const stop of this.running.values()) stop.abort();
  }

  get silenceMs(): number {
    const { turnDetection } = this.settings;
    return turnDetection.by === 'silence' ? turnDetection.silenceMs : EAGERNESS_MS[turnDetection.eagerness];
  }

  customerBegins(): Recognised {
    const itemId = this.newId();
    this.report({ kind: 'speech', itemId, on: true });
    this.wordsKnown = new Promise((resolve) => (this.reportKnown = resolve));
    const { reportKnown } = this;
    return {
      interim: (text) => this.report({ kind: 'words', itemId, text }),
      ended: (text) => {
        if (text !== '') this.items.push({ id: itemId, message: { role: 'customer', text } });
        this.report({ kind: 'speech', itemId, on: false });
        this.report({ kind: 'committed', itemId });
      },
      known: (text) => {
        this.report({ kind: 'heard', itemId, text });
        reportKnown();
      },
    };
  }

  private async sentence(
    { response, text }: RealtimeRequest & { kind: 'sentence' },
    stop: AbortController,
  ): Promise<'completed' | 'cancelled'> {
    const itemId = this.newId();
    const speech = this.voice.begin();
    await Promise.resolve();
    for (const word of wordsOf(text)) this.speak(word, { response, itemId, speech });
    this.voice.end(speech);
    return stop.signal.aborted ? 'cancelled' : 'completed';
  }

  private async answer(
    { response, instruction, mayCallTools }: RealtimeRequest & { kind: 'answer' },
    stop: AbortController,
  ): Promise<'completed' | 'cancelled'> {
    const aborted = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    // A request that is withdrawn for the words takes no answer of the scenario.
    for (let known = null; known !== this.wordsKnown && !stop.signal.aborted;) {
      known = this.wordsKnown;
      await Promise.race([known, aborted]);
    }
    // Without an answer it is a request that has to be withdrawn; otherwise it is not answered in time.
    if (!this.model.hasAnswer) await aborted;
    if (stop.signal.aborted) return 'cancelled';
    const speech = this.voice.begin();
    const item: Item = { id: this.newId(), message: { role: 'assistant', text: '', toolCalls: [] } };
    const deltas = this.model.stream(
      {
        model: this.settings.model,
        temperature: 0,
        messages: this.messages(instruction),
        tools: [...this.tools],
        mayCallTools,
        maxOutputTokens: 0,
      },
      stop.signal,
    );
    let said = '';
    try {
      for await (const delta of deltas) {
        if (stop.signal.aborted) break;
        if (delta.kind === 'text') {
          if (said === '') this.items.push(item);
          said += delta.text;
          item.message = { role: 'assistant', text: said, toolCalls: [] };
          this.speak(delta.text, { response, itemId: item.id, speech });
        } else if (delta.kind === 'tool_call') {
          const { id, name, arguments: args } = delta;
          const call = { id: `${response}_${id}`, name, arguments: args };
          const itemId = this.newId();
          this.items.push({ id: itemId, message: { role: 'assistant', text: '', toolCalls: [call] } });
          this.report({ kind: 'call', response, itemId, call });
        }
      }
    } finally {
      this.voice.end(speech);
    }
    return stop.signal.aborted ? 'cancelled' : 'completed';
  }

  private speak(text: string, { speech, ...of }: { response: string; itemId: string; speech: number }): void {
    this.report({ kind: 'transcript', ...of, text });
    this.report({ kind: 'audio', ...of, audio: this.voice.audioOf(text, speech) });
  }

  /** An answer that called tools is one message of the memory, and several items of the provider's. */
  private messages(instruction: string | null): ModelMessage[] {
    const messages: ModelMessage[] = [{ role: 'system', text: this.instructions }];
    for (const { message } of this.items) {
      const last = messages.at(-1);
      if (message.role === 'assistant' && message.toolCalls.length > 0 && last?.role === 'assistant') {
        messages[messages.length - 1] = { ...last, toolCalls: [...last.toolCalls, ...message.toolCalls] };
      } else if (message.role !== 'assistant' || message.text !== '' || message.toolCalls.length > 0) {
        messages.push(message);
      }
    }
    return instruction === null ? messages : [...messages, { role: 'system', text: instruction }];
  }

  private report(event: RealtimeEvent): void {
    if (this.isOpen) this.onEvent(event);
  }

  private newId(): string {
    return `item_${++this.named}`;
  }
}

function toMessage(item: RealtimeItem): ModelMessage {
  if (item.kind === 'call') return { role: 'assistant', text: '', toolCalls: [item.call] };
  if (item.kind === 'output') return { role: 'tool', callId: item.callId, text: item.text };
  return item.by === 'customer'
    ? { role: 'customer', text: item.text }
    : { role: 'assistant', text: item.text, toolCalls: [] };
}
