import { createHash } from 'node:crypto';
import type { ModelDelta, StreamRequest } from '../language-model.js';

/** Answers in a row without a thought, after which a model is trusted: a template that opens thoughts opens each. */
const TRUSTED_AFTER = 2;
/** Of the time in which an answer has to begin, a held one leaves the rest to be spoken in. */
const HELD_MS = 8_000;
/** Models with their prompts that a process knows. */
const MAX_KNOWN = 10_000;

/**
 * Which models begin their answers with thoughts that only a closing tag marks, because the template has opened them:
 * it can be told no sooner than that tag comes. The first answer of a model in a conversation is therefore held back
 * until it is whole, and each of a model that was found to think so. A model that has given enough answers without is
 * no longer doubted. Prompts turn thoughts on and off, so what is known of a model counts for one prompt.
 */
export class ThoughtHabits {
  /** Answers in a row; negative: the number of closing tags in the last one that was held. */
  private readonly plain = new Map<string, number>();

  /** @param speech as in the request; absent: the answer is read when it is whole, so nothing is held */
  holdFor(model: string, speech?: StreamRequest['speech']): HeldText {
    if (!speech) return new HeldText(0, () => undefined);
    const key = createHash('sha256')
      .update(JSON.stringify([model, speech.prompt]))
      .digest('base64');
    const plain = this.plain.get(key) ?? 0;
    const isDoubted = speech.isFirst && plain < TRUSTED_AFTER;
    return new HeldText(plain < 0 ? -plain : isDoubted ? Infinity : 0, (closings) => {
      if (this.plain.size >= MAX_KNOWN) this.plain.clear();
      const isPlain = closings === 0;
      this.plain.set(
        key,
        isPlain ? Math.min(TRUSTED_AFTER, Math.max(0, this.plain.get(key) ?? 0) + 1) : -closings,
      );
    });
  }
}

/** Text that may turn out to be a thought. */
export class HeldText {
  private text = '';
  private closings = 0;
  private hasText = false;
  /** It ended early, perhaps within a thought. */
  private isCut = false;
  private readonly until = performance.now() + HELD_MS;

  /**
   * @param expected closing tags up to which text may be a thought; `Infinity`: until the answer is whole, because some
   * models close a thought twice
   */
  constructor(
    private expected: number,
    private readonly learn: (closings: number) => void,
  ) {}

  private get holds(): boolean {
    return this.closings < this.expected;
  }

  /** @param isPlain whether the text is known to be none */
  pass(deltas: readonly ModelDelta[], isPlain: boolean): ModelDelta[] {
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

  /** The answer is whole. */
  end(deltas: readonly ModelDelta[]): ModelDelta[] {
    const passed = this.pass(deltas, false);
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
