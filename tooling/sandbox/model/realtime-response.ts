import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from './policy.js';
import { bytesPerMs, spokenWords } from './realtime-audio.js';
import type { AudioFormatSpec } from './realtime-events.js';
import { callMessage, newId, type Item } from './realtime-items.js';

/** Between two words: audio is sent many times as fast as it is played. */
const NEXT_WORD_MS = 20;
const FIRST_WORD_MS = 20;
const CHARACTERS_PER_TOKEN = 4;

/**
 * `fails`, `limited`: fails before its first word, by an error of the server or by its rate limit. `stalls`: nothing
 * follows half of the words, until it is cancelled. `breaks-off`: fails after half of the words.
 */
export type ResponseFlaw = 'fails' | 'limited' | 'stalls' | 'breaks-off';

export interface ResponseOptions {
  /** Null: it is no part of the conversation. */
  conversationId: string | null;
  metadata: Record<string, string> | null;
  format: AudioFormatSpec;
  msPerCharacter: number;
  /** Characters of the model's input. */
  read: number;
  /** Milliseconds until the rate limit of the session accepts responses. */
  limitedMs: number;
}

/** One response of the model during streaming. */
export class RealtimeResponse {
  readonly id = newId('resp');
  private readonly gone = new AbortController();
  private readonly output: object[] = [];
  private spoken = 0;

  constructor(
    private readonly decision: Decision,
    private readonly options: ResponseOptions,
    private readonly send: (event: object) => void,
    /** A complete item, or one truncated by `cancel`. */
    private readonly add: (item: Item) => void,
  ) {}

  get isInConversation(): boolean {
    return this.options.conversationId !== null;
  }

  cancel(): void {
    this.gone.abort();
  }

  /** Streams everything. @param flaw null: none */
  async run(flaw: ResponseFlaw | null = null): Promise<void> {
    this.send({ type: 'response.created', response: this.toJson('in_progress') });
    await this.pause(FIRST_WORD_MS);
    if (flaw === 'fails' || flaw === 'limited') return this.end('failed');
    if (this.decision.content !== null) await this.speak(this.decision.content, flaw);
    if (flaw === 'breaks-off') return this.end('failed');
    for (const call of this.gone.signal.aborted ? [] : this.decision.calls)
      this.call(call.name, call.arguments);
    this.end(this.gone.signal.aborted ? 'cancelled' : 'completed');
  }

  private async speak(content: string, flaw: ResponseFlaw | null): Promise<void> {
    const id = newId('item');
    const base = { response_id: this.id, item_id: id, output_index: 0, content_index: 0 };
    const { format, msPerCharacter } = this.options;
    this.send({
      type: 'response.output_item.added',
      response_id: this.id,
      output_index: 0,
      item: message(id),
    });
    this.announce(message(id));
    const part = { type: 'audio', transcript: '' };
    this.send({ type: 'response.content_part.added', ...base, part });
    let text = '';
    let bytes = 0;
    const words = content.match(/\S+\s*/g) ?? [];
    for (const [index, word] of words.entries()) {
      if (this.gone.signal.aborted) break;
      if (flaw !== null && index >= words.length / 2) {
        // The transcript is ahead of the audio.
        this.send({ type: 'response.output_audio_transcript.delta', ...base, delta: word });
        if (flaw === 'stalls') await this.whenCancelled();
        break;
      }
      const audio = spokenWords(word, msPerCharacter, format);
      this.send({ type: 'response.output_audio_transcript.delta', ...base, delta: word });
      this.send({
        type: 'response.output_audio.delta',
        ...base,
        delta: audio.toString('base64'),
      });
      text += word;
      bytes += audio.length;
      await this.pause(NEXT_WORD_MS);
    }
    this.spoken = text.length;
    this.add({
      id,
      message: { role: 'assistant', content: text },
      audioMs: Math.floor(bytes / bytesPerMs(format)),
    });
    this.send({ type: 'response.output_audio.done', ...base });
    this.send({ type: 'response.output_audio_transcript.done', ...base, transcript: text });
    this.send({ type: 'response.content_part.done', ...base, part: { type: 'audio', transcript: text } });
    this.finish({ ...message(id), content: [{ type: 'output_audio', transcript: text }] }, 0);
  }

  private call(name: string, args: string): void {
    const [id, callId] = [newId('item'), newId('call')];
    const item = { id, object: 'realtime.item', type: 'function_call', name, call_id: callId, arguments: '' };
    const output_index = this.output.length;
    const base = { response_id: this.id, item_id: id, output_index, call_id: callId };
    this.send({ type: 'response.output_item.added', response_id: this.id, output_index, item });
    this.announce(item);
    for (let at = 0; at < args.length; at += 12) {
      const delta = args.slice(at, at + 12);
      this.send({ type: 'response.function_call_arguments.delta', ...base, delta });
    }
    this.send({ type: 'response.function_call_arguments.done', ...base, name, arguments: args });
    this.add({ id, callId, audioMs: 0, message: callMessage(callId, name, args) });
    this.finish({ ...item, arguments: args }, output_index);
  }

  private announce(item: object): void {
    if (this.isInConversation) this.send({ type: 'conversation.item.added', previous_item_id: null, item });
  }

  private finish(item: object, output_index: number): void {
    const status = this.gone.signal.aborted ? 'incomplete' : 'completed';
    this.output.push({ ...item, status });
    this.send({
      type: 'response.output_item.done',
      response_id: this.id,
      output_index,
      item: { ...item, status },
    });
    if (this.isInConversation)
      this.send({ type: 'conversation.item.done', previous_item_id: null, item: { ...item, status } });
  }

  private end(status: 'completed' | 'cancelled' | 'failed'): void {
    const input = Math.ceil(this.options.read / CHARACTERS_PER_TOKEN);
    const output = Math.ceil(this.spoken / CHARACTERS_PER_TOKEN);
    const usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_token_details: { text_tokens: input, audio_tokens: 0, cached_tokens: 0 },
      output_token_details: { text_tokens: 0, audio_tokens: output },
    };
    this.send({ type: 'response.done', response: { ...this.toJson(status), usage } });
  }

  private toJson(status: string) {
    const { conversationId: conversation_id, metadata } = this.options;
    const reason = { cancelled: 'client_cancelled' }[status];
    const error = status === 'failed' ? this.error : undefined;
    const status_details = status === 'in_progress' ? null : { type: status, reason, error };
    const { id, output } = this;
    return { object: 'realtime.response', id, status, status_details, output, conversation_id, metadata };
  }

  private get error() {
    const type = 'server_error';
    const { limitedMs } = this.options;
    if (limitedMs === 0) return { type, code: type };
    const message = `Rate limit reached. Please try again in ${limitedMs / 1_000}s.`;
    return { type: 'tokens', code: 'rate_limit_exceeded', message };
  }

  private whenCancelled(): Promise<void> {
    return new Promise((resolve) =>
      this.gone.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.gone.signal, ref: false }).catch(() => undefined);
  }
}

const message = (id: string) => ({
  id,
  object: 'realtime.item',
  type: 'message',
  role: 'assistant',
  status: 'in_progress',
  content: [] as object[],
});
