import {
  type ModelDelta,
  type ModelToolCall,
  type ModelUsage,
  type ProviderFields,
  LanguageModelError,
  isRetryable,
} from '../language-model.js';
import { readFrame, type Finish, type MessagePiece } from './answer-frame.js';
import { AnswerText } from './answer-text.js';
import { AnswerThoughts, readUsage } from './answer-usage.js';
import { CallPieces, freeId } from './call-pieces.js';
import type { JsonObject } from './json-text.js';
import { DONE, LOST, type Frame } from './stream-frames.js';

/** Characters of the text of an answer, thoughts included; the rest is left out. */
const MAX_TEXT = 256 * 1024;

export interface AnswerContext {
  /** The model that answers. */
  model: string;
  /** Names of the tools that the model may call. */
  tools: ReadonlySet<string>;
  isSpoken: boolean;
  /** Ids of calls that the conversation has already. */
  usedIds: ReadonlySet<string>;
}

/** Reads the answer to one request out of the frames of its stream, whatever dialect the server writes. */
export class ModelAnswer {
  private readonly text: AnswerText;
  private readonly pieces: CallPieces;
  private readonly thoughts = new AnswerThoughts();
  private received = '';
  private finish: Exclude<Finish, 'error'> | null = null;
  private isMarkedDone = false;
  private isLossy = false;
  private tokens: ModelUsage | null = null;
  private hasPieces = false;
  /** The frame that ended the answer; some servers send it twice. */
  private ending = '';

  constructor(private readonly context: AnswerContext) {
    this.text = new AnswerText(context.tools, context.isSpoken);
    this.pieces = new CallPieces(context.tools);
  }

  /** The mark that ends a stream has come. */
  get isDone(): boolean {
    return this.isMarkedDone;
  }

  /** Nothing of the answer is missing, also when the connection breaks now. */
  get isComplete(): boolean {
    return this.isMarkedDone || this.finish !== null;
  }

  /** Whether anything of the answer has arrived. */
  get hasBegun(): boolean {
    return this.received !== '' || !this.pieces.isEmpty;
  }

  /** Whether its text is known to hold no thoughts without marks. */
  get isPlain(): boolean {
    return this.text.marksThoughts || !this.thoughts.isEmpty || !this.pieces.isEmpty;
  }

  get usage(): ModelUsage | null {
    return this.tokens;
  }

  /** @throws LanguageModelError for what the server reports as an error before the answer is complete */
  take(frame: Frame): ModelDelta[] {
    if (frame === DONE) this.isMarkedDone = true;
    else if (frame === LOST) this.isLossy = true;
    else return this.read(frame);
    return [];
  }

  /**
   * The rest of the text, and the calls. @throws LanguageModelError when the answer broke off, or holds a call that
   * cannot be run
   */
  end(): ModelDelta[] {
    if (!this.isComplete) throw brokeOff();
    const deltas = this.said(this.text.end());
    if (this.finish === 'filter') return [...deltas, { kind: 'stopped', reason: 'filter' }];
    const calls = this.calls();
    if (this.isLossy && (calls.length > 0 || this.text.unreadable)) throw brokeOff();
    if (calls.length === 0 && this.text.unreadable)
      throw new LanguageModelError('The language model wrote a call that cannot be run', true);
    if (this.finish === 'length') deltas.push({ kind: 'stopped', reason: 'length' });
    return [...deltas, ...calls.map((call) => ({ kind: 'tool_call' as const, ...call }))];
  }

  private read(frame: JsonObject): ModelDelta[] {
    const { delta, whole, finish, usage, error } = readFrame(frame);
    this.tokens = readUsage(usage) ?? this.tokens;
    const ending = finish === null ? '' : JSON.stringify(frame['choices']);
    if (ending !== '' && ending === this.ending) return [];
    this.ending = ending || this.ending;
    this.hasPieces ||= delta.text !== '' || delta.calls.length > 0;
    if (this.finish === 'stop' && saysMore(delta)) this.goOn();
    const deltas = this.add(delta);
    if (whole) {
      deltas.push(...this.addWhole(whole));
      // Some servers write the pieces of a stream as messages.
      if (this.hasPieces || frame['object'] !== 'chat.completion.chunk') this.ends('stop');
    }
    if (finish !== null && finish !== 'error') this.ends(finish);
    if ((error === null && finish !== 'error') || this.isComplete) return deltas;
    if (!isFilter(error)) throw reported(error);
    this.ends('filter');
    return deltas;
  }

  /** A reason why the answer is not whole counts more than its end. */
  private ends(finish: Exclude<Finish, 'error'>): void {
    if (this.finish === null || this.finish === 'stop') this.finish = finish;
  }

  /** What was said to be its end was none. */
  private goOn(): void {
    this.finish = null;
    this.ending = '';
  }

  private add({ text, thoughts, calls }: MessagePiece): ModelDelta[] {
    this.thoughts.add(thoughts);
    this.pieces.add(calls);
    if (text === '' || this.received.length + text.length > MAX_TEXT) return [];
    this.received += text;
    return this.said(this.text.push(text));
  }

  /** A message that repeats what its pieces said. */
  private addWhole({ text, thoughts, calls }: MessagePiece): ModelDelta[] {
    this.thoughts.replace(thoughts);
    this.pieces.replace(calls);
    const isRepeated = text.startsWith(this.received);
    if (!isRepeated && this.hasPieces) return [];
    const rest = isRepeated ? text.slice(this.received.length) : text;
    return this.add({ text: rest, thoughts: {}, calls: [] });
  }

  private said(text: string): ModelDelta[] {
    const deltas: ModelDelta[] = this.text.takeRetraction() ? [{ kind: 'retract' }] : [];
    return text === '' ? deltas : [...deltas, { kind: 'text', text }];
  }

  /** Where a server has understood the calls, what stands of them in the text is left out. */
  private calls(): ModelToolCall[] {
    const sent = this.pieces.complete();
    const calls = sent.length > 0 ? sent : this.text.calls;
    const message = this.thoughts.all;
    const used = new Set(this.context.usedIds);
    return calls.map((call) => {
      const provider: ProviderFields = {
        model: this.context.model,
        ...(isFilled(call.fields) && { call: call.fields }),
        ...(isFilled(message) && { message }),
      };
      const { name, arguments: args } = call;
      const hasFields = provider.call !== undefined || provider.message !== undefined;
      return { id: freeId(call, used), name, arguments: args, ...(hasFields && { provider }) };
    });
  }
}

const saysMore = ({ text, calls }: MessagePiece): boolean =>
  text.trim() !== '' || calls.some(({ name, args }) => name !== null || args !== undefined);

const isFilled = (fields: JsonObject | undefined): fields is JsonObject =>
  fields !== undefined && Object.keys(fields).length > 0;

const brokeOff = (): LanguageModelError =>
  new LanguageModelError('The language model broke off its answer', true);

const isFilter = (error: JsonObject | null): boolean =>
  /content_?(?:filter|policy)|responsible_?ai/i.test(`${String(error?.['code'])} ${String(error?.['type'])}`);

/** The provider's text is left out: it may quote the prompt. */
function reported(error: JsonObject | null): LanguageModelError {
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
