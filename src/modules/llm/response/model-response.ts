import {
  type ModelDelta,
  type ModelToolCall,
  type ModelUsage,
  type ProviderFields,
  LanguageModelError,
  isRetryable,
} from '../language-model.js';
import type { Author } from './frame-authors.js';
import { readFrameContent, type FinishReason, type MessageDelta } from './frame-content.js';
import { RepeatedText } from './repeated-text.js';
import { ResponseText } from './response-text.js';
import { ResponseReasoning, readUsage } from './response-usage.js';
import { ToolCallAssembler, assignCallId } from './tool-call-assembler.js';
import type { JsonObject } from './json-text.js';
import { END_OF_STREAM, INVALID_FRAME, type StreamFrame } from './stream-frames.js';
import type { OfferedTools } from './tool-names.js';

/** Characters of the text of a response, reasoning included; the rest is left out. */
const MAX_TEXT = 256 * 1024;
/** Characters that are read at a time: each search goes through all of them. */
const MAX_PIECE = 500;

export interface ResponseContext {
  /** The requested model. */
  model: string;
  tools: OfferedTools;
  isSpoken: boolean;
  /** Ids of the earlier calls of the conversation. */
  usedIds: ReadonlySet<string>;
}

/** Reads the response to one request from the frames of its stream, in any server's dialect. */
export class ModelResponse {
  private readonly text: ResponseText;
  private readonly toolCalls: ToolCallAssembler;
  private readonly reasoning = new ResponseReasoning();
  private readonly pieces = new RepeatedText();
  private received = '';
  private finish: Exclude<FinishReason, 'error'> | null = null;
  private isMarkedDone = false;
  private hasLostFrames = false;
  private tokens: ModelUsage | null = null;
  private hasDeltas = false;
  /** Of deltas that name none: that of the last delta without content. */
  private author: Author = 'answer';
  private hasThoughts = false;
  /** All of the text of a response whose calls the server could not read. */
  private failedGeneration: string | null = null;
  /** The frame that ended the response; some servers send it twice. */
  private endFrame = '';

  constructor(private readonly context: ResponseContext) {
    this.text = new ResponseText(context.tools, context.isSpoken);
    this.toolCalls = new ToolCallAssembler(context.tools);
  }

  /** `[DONE]` was received. */
  get isDone(): boolean {
    return this.isMarkedDone;
  }

  /** The response is complete, also when the connection breaks now. */
  get isComplete(): boolean {
    return this.isMarkedDone || this.finish !== null;
  }

  /** Whether any content was received. */
  get hasStarted(): boolean {
    return this.received !== '' || !this.toolCalls.isEmpty;
  }

  /** Whether the text contains no unmarked reasoning. */
  get isReasoningMarked(): boolean {
    return (
      this.hasThoughts || this.text.hasMarkedReasoning || !this.reasoning.isEmpty || !this.toolCalls.isEmpty
    );
  }

  get usage(): ModelUsage | null {
    return this.tokens;
  }

  /** @throws LanguageModelError for an error of the server before the response is complete */
  readFrame(frame: StreamFrame): ModelDelta[] {
    if (frame === END_OF_STREAM) this.isMarkedDone = true;
    else if (frame === INVALID_FRAME) this.hasLostFrames = true;
    else return this.readContent(frame);
    return [];
  }

  /**
   * The rest of the text, and the calls. @throws LanguageModelError for an incomplete response, or a call that cannot
   * be run
   */
  end(): ModelDelta[] {
    if (!this.isComplete) throw interruptedError();
    const deltas = this.addText(this.pieces.end());
    if (this.failedGeneration !== null)
      deltas.push(...this.addText(this.restOf(this.failedGeneration) ?? ''));
    deltas.push(...this.toDeltas(this.text.end(this.finish === 'length')));
    if (this.finish === 'filter') return [...deltas, { kind: 'stopped', reason: 'filter' }];
    const calls = this.toModelCalls();
    if (this.hasLostFrames && (calls.length > 0 || this.text.hasUnreadableCall)) throw interruptedError();
    if (calls.length === 0 && (this.text.hasUnreadableCall || this.failedGeneration !== null))
      throw new LanguageModelError('The language model wrote a call that cannot be run', true);
    if (this.finish === 'length') deltas.push({ kind: 'stopped', reason: 'length' });
    return [...deltas, ...calls.map((call) => ({ kind: 'tool_call' as const, ...call }))];
  }

  private readContent(frame: JsonObject): ModelDelta[] {
    const { finish, usage, error, ...content } = readFrameContent(frame);
    this.author = content.delta.nextAuthor ?? this.author;
    const delta = this.ofAnswer(content.delta);
    const message =
      content.message && this.ofAnswer({ ...content.message, author: content.message.author ?? 'answer' });
    this.tokens = readUsage(usage) ?? this.tokens;
    const ending = finish === null ? '' : JSON.stringify(frame['choices']);
    if (ending !== '' && ending === this.endFrame) return [];
    this.endFrame = ending || this.endFrame;
    this.hasDeltas ||= delta.text !== '' || delta.calls.length > 0;
    if (this.finish === 'stop' && hasContent(delta)) this.reopen();
    const deltas = this.add(delta);
    if (message) {
      deltas.push(...this.addMessage(message));
      // Some servers send the deltas of a stream as messages.
      if (this.hasDeltas || frame['object'] !== 'chat.completion.chunk') this.setFinishReason('stop');
    }
    if (finish !== null && finish !== 'error') this.setFinishReason(finish);
    if ((error === null && finish !== 'error') || this.isComplete) return deltas;
    const written = failedGenerationOf(error);
    if (written !== null) {
      this.failedGeneration = written;
      this.setFinishReason('stop');
      return deltas;
    }
    if (!isFilter(error)) throw toProviderError(error);
    this.setFinishReason('filter');
    return deltas;
  }

  /** Leaves out what is not the answer's. */
  private ofAnswer(part: MessageDelta): MessageDelta {
    const author = part.author ?? this.author;
    this.hasThoughts ||= author === 'thought';
    if (author === 'other') return { ...part, text: '', thoughts: {}, calls: [] };
    return author === 'thought' ? { ...part, text: '' } : part;
  }

  /** A reason for an incomplete response takes precedence over `stop`. */
  private setFinishReason(finish: Exclude<FinishReason, 'error'>): void {
    if (this.finish === null || this.finish === 'stop') this.finish = finish;
  }

  /** Content after the reported end: the response continues. */
  private reopen(): void {
    this.finish = null;
    this.endFrame = '';
  }

  private add({ text, thoughts, calls }: Content): ModelDelta[] {
    this.reasoning.add(thoughts);
    this.toolCalls.add(calls);
    return this.addText(this.pieces.push(text));
  }

  private addText(text: string): ModelDelta[] {
    if (text === '' || this.received.length + text.length > MAX_TEXT) return [];
    this.received += text;
    const deltas: ModelDelta[] = [];
    for (let at = 0; at < text.length; at += MAX_PIECE)
      deltas.push(...this.toDeltas(this.text.push(text.slice(at, at + MAX_PIECE))));
    return deltas;
  }

  /** A complete message that repeats its deltas. */
  private addMessage({ text, thoughts, calls }: Content): ModelDelta[] {
    this.reasoning.replace(thoughts);
    this.toolCalls.replace(calls);
    if (!this.hasDeltas) return this.add({ text, thoughts: {}, calls: [] });
    const deltas = this.addText(this.pieces.end());
    return [...deltas, ...this.addText(this.restOf(text) ?? '')];
  }

  /** What all of the text has behind its deltas; null: it differs from them. */
  private restOf(text: string): string | null {
    return text.startsWith(this.received) ? text.slice(this.received.length) : null;
  }

  private toDeltas(text: string): ModelDelta[] {
    const deltas: ModelDelta[] = this.text.consumeRetraction() ? [{ kind: 'retract' }] : [];
    return text === '' ? deltas : [...deltas, { kind: 'text', text }];
  }

  /** Calls parsed by the server take precedence over calls written in the text. */
  private toModelCalls(): ModelToolCall[] {
    const sent = this.toolCalls.assemble();
    const all = sent.length > 0 ? sent : this.text.calls;
    // Of the last call of a cut response the arguments may be missing.
    const isCut = this.finish === 'length' && all.at(-1)?.arguments === '{}';
    const calls = isCut ? all.slice(0, -1) : all;
    const message = this.reasoning.returnedFields;
    const used = new Set(this.context.usedIds);
    return calls.map((call) => {
      const provider: ProviderFields = {
        model: this.context.model,
        ...(isFilled(call.fields) && { call: call.fields }),
        ...(isFilled(message) && { message }),
      };
      const { name, arguments: args } = call;
      const hasFields = provider.call !== undefined || provider.message !== undefined;
      return { id: assignCallId(call, used), name, arguments: args, ...(hasFields && { provider }) };
    });
  }
}

type Content = Omit<MessageDelta, 'author' | 'nextAuthor'>;

const hasContent = ({ text, calls }: Content): boolean =>
  text.trim() !== '' || calls.some(({ name, args }) => name !== null || args !== undefined);

const isFilled = (fields: JsonObject | undefined): fields is JsonObject =>
  fields !== undefined && Object.keys(fields).length > 0;

const interruptedError = (): LanguageModelError =>
  new LanguageModelError('The language model broke off its answer', true);

/** Groq's `tool_use_failed` has the text in which it found no call. */
function failedGenerationOf(error: JsonObject | null): string | null {
  const text = error?.['failed_generation'];
  if (typeof text === 'string') return text.trim() === '' ? null : text;
  return typeof text === 'object' && text !== null ? JSON.stringify(text) : null;
}

const isFilter = (error: JsonObject | null): boolean =>
  /content_?(?:filter|policy)|responsible_?ai/i.test(`${String(error?.['code'])} ${String(error?.['type'])}`);

/** The provider's text is left out: it may quote the prompt. */
function toProviderError(error: JsonObject | null): LanguageModelError {
  const code = error?.['code'] ?? error?.['type'];
  const status = Number(error?.['status'] ?? code);
  const named = /^\w{1,64}$/.test(String(code ?? '')) ? ` (${String(code)})` : '';
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return new LanguageModelError(
    `The language model broke off its answer${named}`,
    !isStatus || isRetryable(status),
    isStatus ? status : null,
  );
}
