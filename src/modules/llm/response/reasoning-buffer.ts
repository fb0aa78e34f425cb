import { createHash } from 'node:crypto';
import type { ModelDelta, StreamRequest } from '../language-model.js';

/** Responses in a row without reasoning, after which none is expected: a template opens it in each response or in none. */
const TRUSTED_AFTER = 2;
/** Longest delay of buffered text; the rest of the response's timeout remains for speaking. */
const HELD_MS = 8_000;
/** Pairs of model and prompt that a process remembers. */
const MAX_KNOWN = 10_000;

/**
 * Remembers which models begin their responses with reasoning that has a closing tag only, because the template opens
 * it: until that tag, reasoning looks like text. Therefore the first response of a model in a conversation is buffered
 * until it is complete, and so is each response of a model with such reasoning. After enough responses without it,
 * nothing is buffered. Prompts turn reasoning on and off, so an entry is for one model and one prompt.
 */
export class ReasoningRegistry {
  /** Responses in a row without reasoning; negative: the number of closing tags in the last buffered response. */
  private readonly plain = new Map<string, number>();

  /** @param speech as in the request; absent: the response is read when it is complete, so nothing is buffered */
  createBuffer(model: string, speech?: StreamRequest['speech']): ReasoningBuffer {
    if (!speech) return new ReasoningBuffer(0, () => undefined);
    const key = createHash('sha256')
      .update(JSON.stringify([model, speech.prompt]))
      .digest('base64');
    const plain = this.plain.get(key) ?? 0;
    const isDoubted = speech.isFirst && plain < TRUSTED_AFTER;
    return new ReasoningBuffer(plain < 0 ? -plain : isDoubted ? Infinity : 0, (closings) => {
      if (this.plain.size >= MAX_KNOWN) this.plain.clear();
      const isPlain = closings === 0;
      this.plain.set(
        key,
        isPlain ? Math.min(TRUSTED_AFTER, Math.max(0, this.plain.get(key) ?? 0) + 1) : -closings,
      );
    });
  }
}

/** Buffers text that may be reasoning. */
export class ReasoningBuffer {
  private text = '';
  private closings = 0;
  private hasText = false;
  /** The response ended early, perhaps within reasoning. */
  private isCut = false;
  private readonly until = performance.now() + HELD_MS;

  /**
   * @param expected closing tags up to which text may be reasoning; `Infinity`: until the response is complete, because
   * some models close reasoning twice
   */
  constructor(
    private expected: number,
    private readonly learn: (closings: number) => void,
  ) {}

  private get holds(): boolean {
    return this.closings < this.expected;
  }

  /** @param isPlain whether the text is known to be no reasoning. @returns the deltas that are not buffered */
  filterDeltas(deltas: readonly ModelDelta[], isPlain: boolean): ModelDelta[] {
    const passed = deltas.flatMap((delta): ModelDelta[] => {
      if (delta.kind === 'retract') return this.retract();
      if (delta.kind === 'stopped') this.isCut = true;
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
    if (this.closings > 0 || (this.hasText && !this.isCut)) this.learn(this.closings);
    return [...released, ...passed];
  }

  private retract(): ModelDelta[] {
    const wasHeld = this.holds;
    this.closings += 1;
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
