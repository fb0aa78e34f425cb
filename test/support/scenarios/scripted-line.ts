import { EventEmitter } from 'node:events';
import type { FakeClock } from '#src/modules/conversations/engine/clock.fake.js';
import type { Attributes, CustomerLine, LineEvents, PressedKeys } from './customer-line.js';
import { milliseconds, type CallFacts, type Variant } from './scenario.types.js';
import {
  Recognition,
  recognitionTimes,
  type Prompt,
  type Recognised,
  type WordsAfter,
} from './recognition.js';
import { SpeechQueue, wordsOf, type Said } from './speech-queue.js';

/** What carriers take for a sound of agreement. */
const BACKCHANNEL = /^(uh-huh|mhm|yeah|okay|right|i see)[.,!]?$/i;
const KEY_MS = 200;
/** A key that the assistant presses. */
const TONE_MS = 250;
const LATE_MS = 400;
const MEANING_MS = 400;

interface TextFrame {
  type: 'text' | 'end' | 'sendDigits' | 'language';
  token: string;
  last: boolean;
  interruptible?: boolean;
  preemptible?: boolean;
  ttsLanguage?: string;
  transcriptionLanguage?: string;
  digits?: string;
  handoffData?: string;
}

/** The carrier's end of the relay socket, as the service's `ws` socket. */
class Socket extends EventEmitter {
  readyState = 1;
  bufferedAmount = 0;

  constructor(private readonly receive: (frame: TextFrame) => void) {
    super();
  }

  send(text: string): void {
    if (this.readyState === 1) this.receive(JSON.parse(text) as TextFrame);
  }

  close(): void {
    this.readyState = 3;
  }

  terminate(): void {
    this.close();
  }
}

/**
 * The customer's telephone and the carrier's relay between it and the service: speaks what it is sent, is interrupted
 * where the answer document says so, and reports as the variant says.
 */
export class ScriptedLine implements CustomerLine {
  readonly speech: SpeechQueue;
  readonly prompts: Prompt[] = [];
  keysPressed: PressedKeys[] = [];
  handoff = { HandoffData: '{}' };
  private attributes: Attributes = new Map();
  private socket: Socket | null = null;
  private offs = 0;
  private spoken = '';
  private understood = '';
  private readonly recognition: Recognition;

  constructor(
    private readonly clock: FakeClock,
    private readonly call: CallFacts,
    private readonly variant: Variant,
    private readonly on: LineEvents,
  ) {
    this.recognition = new Recognition(
      clock,
      recognitionTimes(call, 0, () => this.silenceMs),
      () => this.utterance(),
    );
    this.speech = new SpeechQueue(clock, call.ms_per_character, milliseconds(call.speech_delay), {
      began: () => {
        this.speaking('agentSpeaking', 'on');
        this.keysPressed = this.keysPressed.filter(
          ({ digits, at }) => at + digits.length * TONE_MS <= clock.now(),
        );
        on.moment('assistant speaks');
      },
      wordPlayed: (word) => this.wordPlayed(word),
      silent: () => {
        this.speaking('agentSpeaking', 'off');
        on.moment('assistant has spoken');
      },
    });
  }

  get said(): readonly Said[] {
    return this.speech.said;
  }

  /** The relay's session begins. @returns the service's socket */
  connect(attributes: Attributes): Socket {
    this.attributes = attributes;
    this.spoken = this.understood = this.relay('language') ?? '';
    this.socket = new Socket((frame) => this.receive(frame));
    return this.socket;
  }

  /** What the relay does once its socket is open. */
  greet(callSid: string): void {
    this.send({ type: 'setup', sessionId: 'VX1', callSid, customParameters: {} });
    if (this.variant === 'hostile') {
      this.speaking('clientSpeaking', 'off');
      this.speaking('agentSpeaking', 'off');
    }
    const greeting = this.relay('welcomeGreeting');
    if (!greeting) return;
    const interruptible = this.relay('welcomeGreetingInterruptible') ?? 'any';
    const preemptible = this.relay('preemptible') === 'true';
    const language = this.spoken;
    this.speech.begin({ words: wordsOf(greeting), complete: true, interruptible, preemptible, language });
  }

  announce(text: string, language: string): void {
    const talk = { words: wordsOf(text), complete: true, interruptible: 'none', preemptible: false };
    this.speech.begin({ ...talk, language });
  }

  async customer(text: string, takesMs: number, wordsAfterMs?: WordsAfter): Promise<void> {
    this.speaking('clientSpeaking', 'on');
    const isIgnored = this.relay('ignoreBackchannel') === 'true' && BACKCHANNEL.test(text);
    const lost = this.talkOver('speech', isIgnored) || (isIgnored && this.speech.current !== undefined);
    await this.recognition.hear(lost ? '' : text, takesMs, wordsAfterMs);
    this.speaking('clientSpeaking', 'off');
  }

  async noise(ms: number): Promise<void> {
    this.speaking('clientSpeaking', 'on');
    this.talkOver('speech', false);
    await this.wait(ms);
    this.speaking('clientSpeaking', 'off');
  }

  async keys(digits: string): Promise<void> {
    for (const digit of digits) {
      const lost = this.talkOver('dtmf', false);
      if (!lost && this.relay('dtmfDetection') === 'true') this.send({ type: 'dtmf', digit });
      await this.wait(KEY_MS);
    }
  }

  private utterance(): Recognised {
    let endedAt = 0;
    return {
      interim: () => undefined,
      ended: () => (endedAt = this.clock.now()),
      known: (text) => {
        if (text === '') return;
        this.prompts.push({ endedAt, knownAt: this.clock.now() });
        this.send({ type: 'prompt', voicePrompt: text, lang: this.understood, last: true });
      },
    };
  }

  /**
   * Without `words_after` the time of the recogniser counts as that of the customer. Where it judges by the meaning, it
   * is soon sure.
   */
  private get silenceMs(): number {
    if (this.call.words_after === null) return 0;
    return Number(this.relay('speechTimeout') ?? MEANING_MS);
  }

  frame(frame: object | string): void {
    this.socket?.emit(
      'message',
      Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)),
      false,
    );
  }

  disconnect(): void {
    this.speech.stop();
    const { socket } = this;
    this.socket = null;
    socket?.close();
    socket?.emit('close');
  }

  /** Speech or a key during the assistant's speech. @returns whether the service does not get it */
  private talkOver(by: 'speech' | 'dtmf', isIgnored: boolean): boolean {
    const { current } = this.speech;
    if (!current || isIgnored) return false;
    if (current.interruptible === 'any' || current.interruptible === by) {
      const utteranceUntilInterrupt = this.speech.stop();
      this.speaking('agentSpeaking', 'off');
      this.send({ type: 'interrupt', utteranceUntilInterrupt, durationUntilInterruptMs: '460' });
      return false;
    }
    const reported = this.relay('reportInputDuringAgentSpeech') ?? 'none';
    return reported !== 'any' && reported !== by;
  }

  private receive(frame: TextFrame): void {
    if (frame.type === 'end') {
      this.handoff = { HandoffData: frame.handoffData ?? '{}' };
      return this.on.ended();
    }
    if (frame.type === 'language') return this.switchLanguage(frame);
    if (frame.type === 'sendDigits' && !this.speech.current)
      this.keysPressed.push({ digits: frame.digits ?? '', at: this.clock.now() });
    if (frame.type !== 'text') return;
    const { open } = this.speech;
    if (open) {
      open.words.push(...wordsOf(frame.token));
      open.complete = frame.last;
      return this.speech.go();
    }
    if (frame.token === '') return;
    const { interruptible: by, preemptible = this.relay('preemptible') === 'true' } = frame;
    const interruptible = by === undefined ? (this.relay('interruptible') ?? 'any') : by ? 'any' : 'none';
    const talk = { words: wordsOf(frame.token), complete: frame.last, interruptible, preemptible };
    this.speech.begin({ ...talk, language: this.spoken });
  }

  /** A language that the document does not name is refused; the session goes on as it is. */
  private switchLanguage({ ttsLanguage = '', transcriptionLanguage = '' }: TextFrame): void {
    const others = this.attributes.get('Language+.code')?.split(' ') ?? [];
    const known = [this.attributes.get('Language.code'), ...others];
    const unknown = [ttsLanguage, transcriptionLanguage].find((code) => !known.includes(code));
    if (unknown !== undefined) return this.send({ type: 'error', description: `64106: ${unknown}` });
    this.spoken = ttsLanguage;
    this.understood = transcriptionLanguage;
  }

  private wordPlayed(word: string): void {
    if (!this.reports('tokens-played')) return;
    const frame = { type: 'info', name: 'tokensPlayed', value: word };
    if (this.variant !== 'hostile') return this.send(frame);
    this.clock.setTimeout(() => {
      this.send(frame);
      this.send(frame);
    }, LATE_MS);
  }

  /** Hostile: every "on" twice, every other "off" of the assistant left out, those of the customer late. */
  private speaking(name: 'agentSpeaking' | 'clientSpeaking', value: 'on' | 'off'): void {
    if (!this.reports('speaker-events')) return;
    const frame = { type: 'info', name, value };
    if (this.variant === 'ordinary') return this.send(frame);
    if (value === 'on') {
      this.send(frame);
      return this.send(frame);
    }
    if (name === 'clientSpeaking') this.clock.setTimeout(() => this.send(frame), LATE_MS);
    else if (this.offs++ % 2 === 0) this.send(frame);
  }

  private reports(events: string): boolean {
    return this.variant !== 'none' && (this.relay('events') ?? '').split(' ').includes(events);
  }

  private relay(attribute: string): string | undefined {
    return this.attributes.get(`ConversationRelay.${attribute}`);
  }

  private send(frame: object): void {
    this.frame(frame);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, ms));
  }
}
