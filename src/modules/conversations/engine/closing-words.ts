import type { CustomerSpeech } from './customer-speech.js';
import { isFarewell } from './farewells.js';
import type { Speaker } from './speaker.js';

export interface ClosingWordsDependencies {
  speaker: Speaker;
  customerSpeech: CustomerSpeech;
  /** Speaks the legal notice, unless it was heard. */
  sayNotice: () => Promise<void>;
}

/** A goodbye that the customer may interrupt. */
interface OpenGoodbye {
  isInterrupted: boolean;
  onOver: () => void;
}

/** Speaks the last sentence of a call. */
export class ClosingWords {
  private isClosed = false;
  private goodbye: OpenGoodbye | null = null;

  constructor(private readonly dependencies: ClosingWordsDependencies) {}

  /** Whether a goodbye is being spoken that the customer may interrupt. */
  get isGoodbyeOpen(): boolean {
    return this.goodbye !== null;
  }

  /** Whether the customer only says goodbye, too. @param language BCP 47 */
  isFarewellReturned(text: string, language: string): boolean {
    return this.isGoodbyeOpen && isFarewell(text, language);
  }

  /** Resolves when the words were heard. @param text empty: the model has said them */
  say(text: string): Promise<void> {
    return this.speak(this.isGoodbyeOpen ? '' : text, null);
  }

  /** The same, until the customer interrupts. @returns whether they did */
  async sayUnlessInterrupted(text: string): Promise<boolean> {
    const goodbye: OpenGoodbye = { isInterrupted: false, onOver: () => undefined };
    const over = new Promise<void>((resolve) => (goodbye.onOver = resolve));
    this.goodbye = goodbye;
    const heard = this.speak(text, goodbye).then(() => this.dependencies.customerSpeech.waitUntilComplete());
    await Promise.race([heard, over]);
    this.goodbye = null;
    return goodbye.isInterrupted;
  }

  /** The customer spoke and waits for a response. */
  interruptGoodbye(): void {
    if (this.goodbye) this.goodbye.isInterrupted = true;
    this.goodbye?.onOver();
  }

  /** The session closed. */
  close(): void {
    this.isClosed = true;
    this.goodbye?.onOver();
  }

  private async speak(text: string, goodbye: OpenGoodbye | null): Promise<void> {
    const { speaker, customerSpeech, sayNotice } = this.dependencies;
    if (text) {
      await Promise.all([customerSpeech.waitUntilComplete(), speaker.waitUntilKeysSent()]);
      if (goodbye?.isInterrupted) return;
      await sayNotice();
      if (!this.isClosed && !goodbye?.isInterrupted) speaker.saySentence(text);
    } else speaker.resumeHeldSpeech();
    await speaker.waitUntilPlayed();
  }
}
