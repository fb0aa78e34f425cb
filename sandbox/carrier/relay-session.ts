import { WebSocket } from 'ws';
import type { ClockSpeed } from '../clock-speed.js';
import type { SimulatedCallee, Voice } from './simulated-callee.js';
import { Playback, type TurnOptions } from './playback.js';
import { interruptibleOf, isTrue, parseFrame, turnDefaults, type RelayFrame } from './relay-frames.js';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_FRAME_BYTES = 64 * 1024;
/** A piece of music or noise counts as this many characters of speech. */
const MEDIA_CHARACTERS = 60;

export interface RelayRequest {
  url: string;
  signature: string;
  /** Attributes of the `<ConversationRelay>` noun. */
  attributes: Record<string, string>;
  setup: Record<string, unknown>;
}

export type RelayOutcome =
  | { kind: 'ended'; handoffData: string | null }
  /** 64102: the socket could not be opened; 64105: it broke. */
  | { kind: 'failed'; errorCode: 64102 | 64105; errorMessage: string };

/** The carrier's side of one ConversationRelay socket: speech to text and back, simulated. */
export class RelaySession implements Voice {
  private readonly playback: Playback;
  private readonly defaults: TurnOptions;
  private readonly events: string;
  private readonly reportsInput: string;
  private socket: WebSocket | null = null;

  constructor(
    private readonly request: RelayRequest,
    private readonly line: SimulatedCallee,
    clockSpeed: ClockSpeed,
  ) {
    const { attributes } = request;
    this.defaults = turnDefaults(attributes);
    this.events = `${attributes['events'] ?? ''} ${attributes['debug'] ?? ''}`;
    this.reportsInput = interruptibleOf(attributes['reportInputDuringAgentSpeech'] ?? 'none');
    this.playback = new Playback(clockSpeed, {
      started: () => {
        this.tell('speaker-events', 'agentSpeaking', 'on');
        line.assistantStarted();
      },
      ended: (heard, whole) => {
        if (heard.trim() !== '') this.tell('tokens-played', 'tokensPlayed', heard);
        this.tell('speaker-events', 'agentSpeaking', 'off');
        line.assistantEnded(whole ? heard : null);
      },
    });
  }

  /** Holds the session; rejects when the signal aborts. The socket is closed in every case. */
  async run(signal: AbortSignal): Promise<RelayOutcome> {
    signal.throwIfAborted();
    const socket = new WebSocket(this.request.url, {
      headers: { 'x-twilio-signature': this.request.signature },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    });
    this.socket = socket;
    let hangUp = () => {};
    try {
      return await new Promise<RelayOutcome>((resolve, reject) => {
        let opened = false;
        let problem = 'The WebSocket connection was closed.';
        hangUp = () => reject(signal.reason);
        signal.addEventListener('abort', hangUp);
        socket.on('open', () => {
          opened = true;
          this.open();
        });
        socket.on('message', (data) => {
          const frame = parseFrame(String(data));
          if (frame?.type === 'end') resolve({ kind: 'ended', handoffData: frame.handoffData });
          else this.take(frame);
        });
        socket.on('error', (error) => (problem = error.message));
        socket.on('close', () =>
          resolve({ kind: 'failed', errorCode: opened ? 64105 : 64102, errorMessage: problem }),
        );
      });
    } finally {
      signal.removeEventListener('abort', hangUp);
      this.close(socket);
    }
  }

  beginSpeech(): boolean {
    const cut = this.playback.interrupt('speech');
    if (cut !== null && cut !== 'protected') this.sendInterrupt(cut);
    this.tell('speaker-events', 'clientSpeaking', 'on');
    return cut !== 'protected' || this.reportsInput === 'any' || this.reportsInput === 'speech';
  }

  endSpeech(words: string | null): void {
    this.tell('speaker-events', 'clientSpeaking', 'off');
    const lang =
      this.request.attributes['transcriptionLanguage'] ?? this.request.attributes['language'] ?? 'en-US';
    if (words !== null) this.send({ type: 'prompt', voicePrompt: words, lang, last: true });
  }

  press(digit: string): void {
    if (!isTrue(this.request.attributes['dtmfDetection'])) return;
    const cut = this.playback.interrupt('dtmf');
    if (cut !== null && cut !== 'protected') this.sendInterrupt(cut);
    const reported = cut !== 'protected' || this.reportsInput === 'any' || this.reportsInput === 'dtmf';
    if (reported) this.send({ type: 'dtmf', digit });
  }

  private open(): void {
    const { attributes, setup } = this.request;
    this.send({ type: 'setup', ...setup });
    this.line.attach(this);
    const greeting = attributes['welcomeGreeting'];
    if (!greeting) return;
    const interruptible = interruptibleOf(attributes['welcomeGreetingInterruptible'] ?? 'any');
    this.playback.add(greeting, true, { interruptible, preemptible: false });
  }

  private take(frame: Exclude<RelayFrame, { type: 'end' }> | null): void {
    if (frame === null) {
      this.send({ type: 'error', description: 'Invalid message received.' });
      return;
    }
    if (frame.type === 'text') {
      const { interruptible, preemptible } = this.defaults;
      this.playback.add(frame.token, frame.last, {
        interruptible: frame.interruptible ?? interruptible,
        preemptible: frame.preemptible ?? preemptible,
      });
    } else if (frame.type === 'play') {
      this.playback.add(' '.repeat(MEDIA_CHARACTERS), true, this.defaults);
    }
  }

  private sendInterrupt(cut: { heard: string; afterMs: number }): void {
    this.send({
      type: 'interrupt',
      utteranceUntilInterrupt: cut.heard,
      durationUntilInterruptMs: cut.afterMs,
    });
  }

  /** Only who subscribed (`events="speaker-events tokens-played"`) is told. */
  private tell(subscription: string, name: string, value: string): void {
    if (this.events.includes(subscription)) this.send({ type: 'info', name, value, ts: Date.now() });
  }

  private send(frame: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private close(socket: WebSocket): void {
    this.playback.stop();
    this.line.detach(this);
    socket.removeAllListeners();
    // Closing a socket that is still connecting makes it emit an error that nobody asked for.
    socket.on('error', () => undefined);
    socket.close(1000);
    setTimeout(() => socket.terminate(), 1_000).unref();
  }
}
