import type { ErrorMoment, LineFaults, RelayErrorCode } from '../callees/callee.js';
import type { ClockSpeed } from '../clock-speed.js';
import type { SimulatedCallee, Voice } from './simulated-callee.js';
import { Playback, type PlayedSpeech, type TurnOptions } from './playback.js';
import { interruptibleOf, isTrue, parseFrame, turnDefaults, type RelayFrame } from './relay-frames.js';
import { ServiceSocket, type SocketLoss } from './service-socket.js';

/** A piece of music or noise counts as this many characters of speech. */
const MEDIA_CHARACTERS = 60;
/** Position in the assistant's first speech at which a breaking socket breaks. */
const BREAKS_AFTER_MS = 1_500;
/** Milliseconds of simulated time from a moment to its planned error. */
const ERROR_AFTER_MS = {
  start: 0,
  'first-speech': 1_500,
  'callee-speaks': 500,
  'tool-runs': 800,
  goodbye: 1_000,
} satisfies Record<ErrorMoment, number>;
const GOODBYE = /goodbye/i;
/** The carrier's codes for an invalid frame, and for a language that it cannot use. */
const INVALID_MESSAGE = 64107;
const INVALID_ARGUMENT = 64106;

/** Duration of a key and of the pauses between keys. */
const KEY_MS = 250;
const PAUSES_MS: Record<string, number> = { w: 500, W: 1_000 };

export interface RelayRequest {
  url: string;
  signature: string;
  /** Attributes of the `<ConversationRelay>` noun. */
  attributes: Record<string, string>;
  setup: Record<string, unknown>;
  /** The carrier's reason to refuse the document; null when it is valid. */
  refusal: string | null;
  faults: LineFaults;
  /** Codes of the document's languages; a `language` frame may use these. */
  languages: readonly string[];
  /** A frame that the carrier refused. */
  refused(why: string): void;
  /** The WebSocket broke: frames sent since then are lost. */
  lost(): void;
}

/** 64101: the document is invalid; 64102: the socket could not be opened; 64105: it broke. */
export interface RelayFailure {
  kind: 'failed';
  errorCode: RelayErrorCode;
  errorMessage: string;
}

export type RelayOutcome = { kind: 'ended'; handoffData: string | null } | RelayFailure;

/** The carrier's side of one ConversationRelay session: speech to text and back, simulated. */
export class RelaySession implements Voice {
  private readonly playback: Playback;
  private readonly socket: ServiceSocket;
  private readonly defaults: TurnOptions;
  private readonly events: string;
  private readonly reportsInput: string;
  private readonly result: Promise<RelayOutcome>;
  private conclude: (outcome: RelayOutcome) => void = () => undefined;
  private transcriptionLanguage: string;
  private keys: Promise<void> = Promise.resolve();
  private breaksSoon: boolean;
  private errs: boolean;

  constructor(
    private readonly request: RelayRequest,
    private readonly line: SimulatedCallee,
    private readonly clockSpeed: ClockSpeed,
  ) {
    const { attributes, url, signature, faults } = request;
    this.result = new Promise((resolve) => (this.conclude = resolve));
    this.defaults = turnDefaults(attributes);
    this.events = `${attributes['events'] ?? ''} ${attributes['debug'] ?? ''}`;
    this.reportsInput = interruptibleOf(attributes['reportInputDuringAgentSpeech'] ?? 'none');
    this.errs = faults.sessionError !== null;
    this.transcriptionLanguage = attributes['transcriptionLanguage'] ?? attributes['language'] ?? 'en-US';
    this.breaksSoon = faults.firstSocket === 'breaks';
    this.playback = new Playback(clockSpeed, {
      started: () => this.speechStarted(),
      ended: (speech) => this.speechEnded(speech),
    });
    const reconnects = isTrue(attributes['applicationReconnect']);
    this.socket = new ServiceSocket(
      { url, signature, reconnects, fault: faults.firstSocket },
      {
        opened: (again) => this.open(again),
        received: (data) => this.receive(data),
        lost: () => request.lost(),
      },
    );
  }

  /** Holds the session; rejects when the signal aborts. The socket is closed in every case. */
  async run(signal: AbortSignal): Promise<RelayOutcome> {
    const over = new AbortController();
    try {
      const lost = this.socket.run(AbortSignal.any([signal, over.signal])).then(failureOf);
      return await Promise.race([this.result, lost]);
    } finally {
      over.abort();
      this.socket.close();
      this.playback.stop();
      this.line.detach(this);
    }
  }

  beginSpeech(): boolean {
    const cut = this.playback.interrupt('speech');
    if (cut !== null && cut !== 'protected') this.sendInterrupt(cut);
    this.tell('speaker-events', 'clientSpeaking', 'on');
    this.reached('callee-speaks');
    return cut !== 'protected' || this.reportsInput === 'any' || this.reportsInput === 'speech';
  }

  endSpeech(words: string | null): void {
    this.tell('speaker-events', 'clientSpeaking', 'off');
    const lang = this.transcriptionLanguage;
    if (words !== null) this.socket.send({ type: 'prompt', voicePrompt: words, lang, last: true });
    this.reached('tool-runs');
  }

  press(digit: string): void {
    if (!isTrue(this.request.attributes['dtmfDetection'])) return;
    const cut = this.playback.interrupt('dtmf');
    if (cut !== null && cut !== 'protected') this.sendInterrupt(cut);
    const reported = cut !== 'protected' || this.reportsInput === 'any' || this.reportsInput === 'dtmf';
    if (reported) this.socket.send({ type: 'dtmf', digit });
  }

  private open(again: boolean): void {
    const { attributes, setup, refusal } = this.request;
    this.socket.send({ type: 'setup', ...setup });
    if (again) return;
    if (refusal !== null) return this.refuse(refusal);
    if (this.reached('start')) return;
    this.line.attach(this);
    const greeting = attributes['welcomeGreeting'];
    if (!greeting) return;
    const interruptible = interruptibleOf(attributes['welcomeGreetingInterruptible'] ?? 'any');
    this.playback.add(greeting, true, { interruptible, preemptible: false });
  }

  private refuse(errorMessage: string): void {
    this.socket.send({ type: 'error', description: `64101: ${errorMessage}` });
    this.conclude({ kind: 'failed', errorCode: 64101, errorMessage });
  }

  /** Ends the session when its error is planned for this moment. */
  private reached(moment: ErrorMoment): boolean {
    const { sessionError } = this.request.faults;
    if (!this.errs || sessionError?.moment !== moment) return false;
    this.errs = false;
    const { code } = sessionError;
    const message = 'An error that the number asks for.';
    const happen = () =>
      code === 64101
        ? this.refuse(message)
        : this.conclude({ kind: 'failed', errorCode: code, errorMessage: message });
    const afterMs = this.clockSpeed.real(ERROR_AFTER_MS[moment]);
    if (afterMs === 0) happen();
    else setTimeout(happen, afterMs).unref();
    return true;
  }

  private receive(data: string): void {
    const frame = parseFrame(data);
    if (frame?.type === 'end') this.conclude({ kind: 'ended', handoffData: frame.handoffData });
    else this.take(frame);
  }

  private take(frame: Exclude<RelayFrame, { type: 'end' }> | null): void {
    if (frame === null) return this.refuseFrame(INVALID_MESSAGE, 'Invalid message received.');
    if (frame.type === 'text') {
      const { interruptible, preemptible } = this.defaults;
      if (GOODBYE.test(frame.token)) this.reached('goodbye');
      this.playback.add(frame.token, frame.last, {
        interruptible: frame.interruptible ?? interruptible,
        preemptible: frame.preemptible ?? preemptible,
      });
    } else if (frame.type === 'play') {
      this.playback.add(' '.repeat(MEDIA_CHARACTERS), true, this.defaults);
    } else if (frame.type === 'sendDigits') {
      this.keys = this.keys.then(() => this.sendKeys(frame.digits));
    } else if (frame.type === 'language') {
      this.switchLanguage(frame);
    }
  }

  /** Key by key; a tone during the assistant's speech is not recognised. */
  private async sendKeys(digits: string): Promise<void> {
    for (const key of digits) {
      const pauseMs = PAUSES_MS[key];
      await this.clockSpeed.sleep(pauseMs ?? KEY_MS);
      if (pauseMs !== undefined) continue;
      if (this.playback.playing) this.request.refused(`The key ${key} was sent over speech.`);
      else this.line.keyPressed(key);
    }
  }

  /** An undeclared language has no voice: speech and recognition stay unchanged. */
  private switchLanguage({ ttsLanguage, transcriptionLanguage }: RelayFrame & { type: 'language' }): void {
    const { languages } = this.request;
    const unknown = [ttsLanguage, transcriptionLanguage].find(
      (code) => code !== null && !languages.includes(code),
    );
    if (unknown) return this.refuseFrame(INVALID_ARGUMENT, `The language ${unknown} is not configured.`);
    this.transcriptionLanguage = transcriptionLanguage ?? this.transcriptionLanguage;
  }

  /** The session continues. */
  private refuseFrame(code: number, why: string): void {
    this.request.refused(why);
    this.socket.send({ type: 'error', description: `${code}: ${why}` });
  }

  private speechStarted(): void {
    this.tell('speaker-events', 'agentSpeaking', 'on');
    this.line.assistantStarted();
    this.reached('first-speech');
    if (!this.breaksSoon) return;
    this.breaksSoon = false;
    setTimeout(() => this.socket.break(), this.clockSpeed.real(BREAKS_AFTER_MS)).unref();
  }

  private speechEnded(speech: PlayedSpeech): void {
    if (speech.heard.trim() !== '') this.tell('tokens-played', 'tokensPlayed', speech.heard);
    this.tell('speaker-events', 'agentSpeaking', 'off');
    this.line.assistantEnded(speech);
  }

  private sendInterrupt(cut: { heard: string; afterMs: number }): void {
    this.socket.send({
      type: 'interrupt',
      utteranceUntilInterrupt: cut.heard,
      durationUntilInterruptMs: cut.afterMs,
    });
  }

  /** Sent only to subscribers (`events="speaker-events tokens-played"`). */
  private tell(subscription: string, name: string, value: string): void {
    const { infoFrames } = this.request.faults;
    if (infoFrames === 'none' || (infoFrames === 'unpaired' && value === 'off')) return;
    if (this.events.includes(subscription)) this.socket.send({ type: 'info', name, value, ts: Date.now() });
  }
}

const failureOf = ({ wasOpen, problem }: SocketLoss): RelayFailure => ({
  kind: 'failed',
  errorCode: wasOpen ? 64105 : 64102,
  errorMessage: problem,
});
