/** A speech of the assistant, from its first token to its last. */
interface Speech {
  /** Played to its end. */
  heard: string;
  /** Sentences that wait for the voice. */
  waiting: string[];
  /** What does not make a sentence yet. */
  rest: string;
  complete: boolean;
  interruptible: boolean;
  preemptible: boolean;
}

export interface VoiceListener {
  /** The assistant began or stopped to speak. */
  speaking(on: boolean): void;
  played(text: string): void;
}

const SENTENCE = /^[\s\S]*?[.!?…](?=\s)\s*/;
/** Browsers without a voice never begin: the text counts as read. */
const BEGIN_LIMIT_MS = 3_000;

/** Speaks what the assistant says with the browser's own voice, sentence by sentence; without one it is only read. */
export class Voice {
  language = 'en-US';
  rate = 1;
  private speech: Speech | null = null;
  private current: SpeechSynthesisUtterance | null = null;
  private spokenTo = 0;
  private isSpeaking = false;

  constructor(
    /** Null: nothing is spoken, text counts as heard when all of it is there. */
    private readonly synthesis: SpeechSynthesis | null,
    private readonly listener: VoiceListener,
  ) {}

  get speaks(): boolean {
    return this.isSpeaking;
  }

  say(token: string, { last, interruptible, preemptible }: SayOptions): void {
    if (this.speech?.complete && this.speech.preemptible && token) this.stop();
    const speech = (this.speech =
      this.speech && !this.speech.complete
        ? this.speech
        : {
            heard: '',
            // What was said before is spoken first.
            waiting: this.speech?.waiting ?? [],
            rest: '',
            complete: false,
            interruptible,
            preemptible,
          });
    speech.rest += token;
    for (let match = SENTENCE.exec(speech.rest); match; match = SENTENCE.exec(speech.rest)) {
      speech.waiting.push(match[0]);
      speech.rest = speech.rest.slice(match[0].length);
    }
    speech.complete = last;
    if (last && speech.rest) speech.waiting.push(speech.rest);
    if (last) speech.rest = '';
    this.next();
  }

  /** The customer interrupts. @returns what was heard of the speech; null: nothing is spoken, or it may not stop */
  interrupt(): string | null {
    if (!this.isSpeaking || !this.speech?.interruptible) return null;
    const heard = this.speech.heard + (this.current?.text.slice(0, this.spokenTo) ?? '');
    this.stop();
    return heard.trim();
  }

  /** Stops without a report. */
  stop(): void {
    const { current } = this;
    this.speech = this.current = null;
    if (current) this.synthesis?.cancel();
    this.report(false);
  }

  private next(): void {
    const { speech } = this;
    if (!speech || this.current) return;
    const text = speech.waiting.shift();
    if (text === undefined) {
      if (speech.complete) this.report(false);
      return;
    }
    if (this.synthesis === null) return this.done(speech, text);
    this.speak(this.synthesis, speech, text);
  }

  private speak(synthesis: SpeechSynthesis, speech: Speech, text: string): void {
    const utterance = (this.current = new SpeechSynthesisUtterance(text));
    utterance.lang = this.language;
    utterance.rate = this.rate;
    this.spokenTo = 0;
    const finish = () => {
      clearTimeout(timer);
      if (this.current !== utterance) return;
      this.current = null;
      this.done(speech, text);
    };
    const timer = setTimeout(finish, BEGIN_LIMIT_MS);
    utterance.onstart = () => {
      clearTimeout(timer);
      this.report(true);
    };
    utterance.onboundary = ({ charIndex }) => (this.spokenTo = charIndex);
    utterance.onend = utterance.onerror = finish;
    synthesis.speak(utterance);
  }

  private done(speech: Speech, text: string): void {
    speech.heard += text;
    this.listener.played(text);
    this.next();
  }

  private report(on: boolean): void {
    if (this.isSpeaking === on) return;
    this.isSpeaking = on;
    this.listener.speaking(on);
  }
}

interface SayOptions {
  last: boolean;
  interruptible: boolean;
  preemptible: boolean;
}
