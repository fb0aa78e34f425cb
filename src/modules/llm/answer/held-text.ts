import type { ModelDelta } from '../language-model.js';

/** First answers in a row without a thought, after which a model of this process is trusted. */
const TRUSTED_AFTER = 100;
/** Of the time in which an answer has to begin, a held one leaves the rest to be spoken in. */
const HELD_MS = 8_000;
const MAX_MODELS = 1_000;

/**
 * Which models begin their answers with thoughts that only a closing tag marks, because the template has opened them: it
 * can be told no sooner than that tag comes. The first answer of a model in a conversation is therefore held back until it
 * is whole, and each of a model that was found to think so. A model that has given enough first answers without is no
 * longer doubted.
 */
export class ThoughtHabits {
  /** First answers in a row; -1: the last one that was held began with a thought. */
  private readonly plain = new Map<string, number>();

  holdFor(model: string, isFirst: boolean): HeldText {
    const plain = this.plain.get(model) ?? 0;
    const holds = plain < 0 || (isFirst && plain < TRUSTED_AFTER);
    return new HeldText(holds, (thinks) => {
      if (this.plain.size > MAX_MODELS) this.plain.clear();
      if (thinks || holds) this.plain.set(model, thinks ? -1 : Math.max(0, plain) + 1);
    });
  }
}

/** Text that may turn out to be a thought. */
export class HeldText {
  private text = '';
  private thinks = false;
  private readonly until = performance.now() + HELD_MS;

  constructor(
    private holds: boolean,
    private readonly learn: (thinks: boolean) => void,
  ) {}

  /** @param isPlain whether the text is known to be none */
  pass(deltas: readonly ModelDelta[], isPlain: boolean): ModelDelta[] {
    const passed = deltas.flatMap((delta): ModelDelta[] => {
      if (delta.kind === 'retract') return this.retract();
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
    this.learn(this.thinks);
    return [...released, ...passed];
  }

  private retract(): ModelDelta[] {
    this.thinks = true;
    const wasHeld = this.holds;
    this.text = '';
    this.holds = false;
    return wasHeld ? [] : [{ kind: 'retract' }];
  }

  private release(): ModelDelta[] {
    const { text } = this;
    this.holds = false;
    this.text = '';
    return text === '' ? [] : [{ kind: 'text', text }];
  }
}
