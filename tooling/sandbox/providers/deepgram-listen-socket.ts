import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { baseName } from '../model-name.js';
import { sameText } from '../same-text.js';
import type { SocketRefusal, SocketRoute } from '../socket-routes.js';
import { deepgramRefusal } from './deepgram-speak-socket.js';
import { earOf, type Ear } from './ear.js';
import { ListenResults } from './listen-results.js';
import { flawOf, messageIn, type ProviderDesk } from './provider-speech.js';
import { RecogniserFlaws } from './recogniser-flaws.js';

/** Seconds without audio or `KeepAlive` until the socket is closed. */
const IDLE_SECONDS = 10;
const SHORTEST_UTTERANCE_END_MS = 1_000;

const MODELS = ['nova-3', 'nova-3-general', 'nova-2', 'nova-2-general', 'nova-2-phonecall'];
/** Those of nova-3. */
const LANGUAGES = (
  'multi ar be bg bn bs ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fa fi fr fr-CA he hi ' +
  'hr hu id it ja kn ko ko-KR lt lv mk mr ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sl sr sv sv-SE ta te th th-TH tl ' +
  'tr uk ur vi zh zh-CN zh-HK zh-Hans zh-Hant zh-TW'
).split(' ');
const REDACTED = 'pci numbers ssn phone_number email_address account_number name location_city'.split(' ');

const oneOf =
  (...values: string[]) =>
  (value: string): boolean =>
    values.includes(value);
const isFlag = oneOf('true', 'false');
const isText = (value: string): boolean => value !== '';

/** Of the documented parameters those that the sandbox understands, or that change nothing that is heard. */
const QUERY: Record<string, (value: string) => boolean> = {
  model: (value) => MODELS.includes(baseName(value)),
  language: (value) => LANGUAGES.includes(value),
  encoding: oneOf('linear16', 'mulaw'),
  sample_rate: oneOf('8000', '16000', '24000', '44100', '48000'),
  channels: oneOf('1'),
  interim_results: isFlag,
  endpointing: (value) => /^(false|\d{1,5})$/.test(value),
  utterance_end_ms: (value) => Number(value) >= SHORTEST_UTTERANCE_END_MS,
  vad_events: isFlag,
  smart_format: isFlag,
  punctuate: isFlag,
  numerals: isFlag,
  mip_opt_out: isFlag,
  redact: (value) => REDACTED.includes(value),
  keyterm: isText,
  tag: isText,
};
const REPEATED = ['redact', 'keyterm', 'tag'];
const STANDARD_ENDPOINTING = '10';

/**
 * Deepgram's streaming speech to text (Nova), by its reference and its troubleshooting guide. Results come in the order
 * of the audio. What closes the socket for an unknown message is assumed.
 */
export const deepgramListenSocket = (desk: ProviderDesk): SocketRoute => ({
  path: /^\/v1\/listen$/,
  refuse: (request, { searchParams: query }) => refusal(request, query, desk),
  open: (socket, _request, { searchParams: query }) => new ListenSocket(socket, query, desk).begin(),
});

function refusal(
  { headers }: IncomingMessage,
  query: URLSearchParams,
  { apiKey }: ProviderDesk,
): SocketRefusal | null {
  const wrong = (message: string) => deepgramRefusal(400, 'INVALID_QUERY_PARAMETER', message);
  if (!sameText(headers.authorization ?? '', `Token ${apiKey}`))
    return deepgramRefusal(401, 'INVALID_AUTH', 'Invalid credentials.');
  for (const [name, value] of query) {
    const isRight = Object.hasOwn(QUERY, name) ? QUERY[name] : undefined;
    if (!isRight) return wrong(`Unknown parameter ${name}.`);
    if (!isRight(value)) return wrong(`${name} does not have the value ${value}.`);
    if (query.getAll(name).length > 1 && !REPEATED.includes(name)) return wrong(`${name} is given twice.`);
  }
  if (!query.has('model')) return wrong('No such model/language/tier combination found.');
  if (!query.has('encoding') || !query.has('sample_rate'))
    return wrong('Raw audio has an encoding and a sample rate.');
  if (query.has('utterance_end_ms') && query.get('interim_results') !== 'true')
    return wrong('utterance_end_ms needs interim_results.');
  return flawOf(query.get('model') ?? '') === 'busy'
    ? deepgramRefusal(429, 'TOO_MANY_REQUESTS', 'Too many requests.')
    : null;
}

class ListenSocket {
  private readonly requestId = randomUUID();
  private readonly model: string;
  private readonly bytesPerSecond: number;
  private readonly ear: Ear;
  private readonly flaws: RecogniserFlaws;
  private readonly results: ListenResults;
  private readonly sampleBytes: number;
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** Resolves when all messages so far are sent. */
  private sent: Promise<void> = Promise.resolve();
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    query: URLSearchParams,
    desk: ProviderDesk,
  ) {
    const [encoding, sampleRate] = [query.get('encoding') ?? '', Number(query.get('sample_rate'))];
    const endpointing = query.get('endpointing') ?? STANDARD_ENDPOINTING;
    const utteranceEnd = query.get('utterance_end_ms');
    this.model = query.get('model') ?? '';
    this.sampleBytes = encoding === 'mulaw' ? 1 : 2;
    this.bytesPerSecond = sampleRate * this.sampleBytes;
    this.ear = earOf(encoding, sampleRate);
    this.flaws = new RecogniserFlaws(this.model, () => socket.terminate());
    this.results = new ListenResults(
      {
        model: this.model,
        hasFinals: this.flaws.hasFinals,
        hasInterims: query.get('interim_results') === 'true',
        endpointingMs: endpointing === 'false' ? null : Number(endpointing),
        utteranceEndMs: utteranceEnd === null ? null : Number(utteranceEnd),
        reportsVoice: query.get('vad_events') === 'true',
        realMs: (ms) => desk.realMs(ms),
      },
      (message, delayMs) => this.sendLater(message, delayMs),
    );
  }

  begin(): void {
    this.awaitData();
    this.socket.on('close', () => clearTimeout(this.idleTimer));
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.hear(data);
      else this.receive(messageIn(data)?.['type']);
    });
  }

  private awaitData(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.socket.close(1011, 'NET-0001'), IDLE_SECONDS * 1000);
  }

  private hear(audio: Buffer): void {
    if (audio.length % this.sampleBytes !== 0) return this.socket.close(1008, 'DATA-0000');
    // As the reference has it, and not a frame without sound.
    if (audio.length === 0) return this.endStream();
    this.awaitData();
    this.bytes += audio.length;
    this.hash.update(audio);
    const heard = this.ear(audio);
    this.flaws.hear(heard);
    this.results.hear(heard, audio.length / this.bytesPerSecond);
  }

  private receive(type: unknown): void {
    if (type === 'Finalize') this.results.end({ from_finalize: true });
    else if (type === 'CloseStream') this.endStream();
    else if (type !== 'KeepAlive') return this.socket.close(1008, 'DATA-0000');
    this.awaitData();
  }

  private endStream(): void {
    this.results.end({});
    const summary = {
      type: 'Metadata',
      transaction_key: 'deprecated',
      request_id: this.requestId,
      sha256: this.hash.copy().digest('hex'),
      created: new Date().toISOString(),
      duration: this.bytes / this.bytesPerSecond,
      channels: 1,
    };
    this.sendLater(summary, 0);
    void this.sent.then(() => this.socket.close(1000));
  }

  private sendLater(message: object, delayMs: number): void {
    const at = performance.now() + delayMs;
    this.sent = this.sent.then(async () => {
      const left = at - performance.now();
      if (left > 0) await sleep(left);
      this.send(message);
    });
  }

  private send(message: object): void {
    if (this.socket.readyState !== this.socket.OPEN || this.flaws.isSilent) return;
    const model_info = { name: baseName(this.model), version: '1', arch: 'nova' };
    const metadata = { request_id: this.requestId, model_info, model_uuid: this.requestId };
    const isResult = 'channel_index' in message;
    this.socket.send(JSON.stringify(isResult ? { ...message, metadata } : message));
    if (isResult) this.flaws.markResult();
  }
}
