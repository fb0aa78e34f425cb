import { createHash } from 'node:crypto';
import type { ModelDelta, StreamRequest } from '../language-model.js';

/** Plain responses after which no reasoning is expected: a template opens it in each response or in none. */
const TRUSTED_AFTER = 2;
/** Longest delay of the text of a model that is not known to reason; the rest of the timeout remains for speaking. */
const HELD_MS = 8_000;
/** Pairs of model and prompt that a process remembers. */
const MAX_KNOWN = 10_000;
/** APIs whose documents show reasoning only apart from the text: Anthropic, Azure OpenAI, Gemini and OpenAI. */
const SEPARATE_REASONING =
  /(^|\.)(anthropic\.com|openai\.azure\.com|generativelanguage\.googleapis\.com|openai\.com)$/;

/**
 * Remembers which models begin their responses with reasoning that has a closing tag only, because the template opens
 * it: until that tag, reasoning looks like text. Therefore each response of an unknown model is buffered until it is
 * complete, and each response of a model with such reasoning until its closing tags, for good. After enough plain
 * responses nothing is buffered; responses to the customer and to the result of a tool count apart, because templates
 * treat them differently. Prompts turn reasoning on and off, so an entry is for one model and one prompt.
 */
export class ReasoningRegistry {
  /** Plain responses by model, prompt and what they respond to. */
  private readonly plain = new BoundedMap();
  /** Closing tags of responses by model and prompt. */
  private readonly closings = new BoundedMap();

  /**
   * Without `speech` in the request the response is read when it is complete, so nothing is buffered.
   *
   * @param baseUrl of the model's endpoint
   */
  createBuffer(
    model: string,
    { speech, messages }: Pick<StreamRequest, 'speech' | 'messages'>,
    baseUrl: string,
  ): ReasoningBuffer {
    if (!speech || SEPARATE_REASONING.test(new URL(baseUrl).hostname))
      return new ReasoningBuffer(0, () => undefined);
    const last = messages.findLast(({ role }) => role !== 'system');
    const known = keyOf(model, speech.prompt);
    const responding = keyOf(known, last?.role === 'tool' ? 'tool' : 'customer');
    const plain = this.plain.get(responding);
    const expected = this.closings.get(known) || (plain < TRUSTED_AFTER ? Infinity : 0);
    return new ReasoningBuffer(expected, (closings) => {
      if (closings > 0) this.closings.set(known, Math.max(closings, this.closings.get(known)));
      else this.plain.set(responding, Math.min(TRUSTED_AFTER, this.plain.get(responding) + 1));
    });
  }
}

const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Numbers by key, 0 without an entry; the entry that was set longest ago is removed first. */
class BoundedMap {
  private readonly entries = new Map<string, number>();

  get(key: string): number {
    return this.entries.get(key) ?? 0;
  }

  set(key: string, value: number): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_KNOWN && oldest !== undefined) this.entries.delete(oldest);
  }
}

/** Buffers text that may be reasoning. */
export class ReasoningBuffer {
  private text = '';
  private closings = 0;
  private hasText = false;
  /** The response ended early, perhaps within reasoning. */
  private isCut = false;
  /** A call says nothing about reasoning in the text beside it, which is short or missing. */
  private hasCalls = false;
  private readonly until: number;

  /**
   * @param expected closing tags up to which text is reasoning, however late they come; `Infinity`: text may be
   * reasoning until the response is complete, because some models close it twice
   * @param learn called at each closing tag, because the response may end early, and after a plain response with 0
   */
  constructor(
    private expected: number,
    private readonly learn: (closings: number) => void,
  ) {
    this.until = expected === Infinity ? performance.now() + HELD_MS : Infinity;
  }

  private get holds(): boolean {
    return this.closings < this.expected;
  }

  /** @param isPlain whether the text is known to be no reasoning. @returns the deltas that are not buffered */
  filterDeltas(deltas: readonly ModelDelta[], isPlain: boolean): ModelDelta[] {
    const passed = deltas.flatMap((delta): ModelDelta[] => {
      if (delta.kind === 'retract') return this.retract();
      if (delta.kind === 'stopped') this.isCut = true;
      if (delta.kind === 'tool_call') this.hasCalls = true;
      if (delta.kind === 'text') this.hasText ||= delta.text.trim() !== '';
      if (delta.kind !== 'text' || !this.holds) return [delta];
      this.text += delta.text;
      return [];
    });
    if (!this.holds || (!isPlain && performance.now() < this.until)) return passed;
    return [...this.release(), ...passed];
  }

  /** The response is complete. @returns all deltas that remain */
  flush(deltas: readonly ModelDelta[]): ModelDelta[] {
    const passed = this.filterDeltas(deltas, false);
    const released = this.release();
    if (this.closings === 0 && this.hasText && !this.isCut && !this.hasCalls) this.learn(0);
    return [...released, ...passed];
  }

  private retract(): ModelDelta[] {
    const wasHeld = this.holds;
    this.closings += 1;
    this.learn(this.closings);
    this.text = '';
    return wasHeld ? [] : [{ kind: 'retract' }];
  }

  private release(): ModelDelta[] {
    const { text } = this;
    this.expected = 0;
    this.text = '';
    return text === '' ? [] : [{ kind: 'text', text }];
  }
}
