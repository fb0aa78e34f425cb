import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { baseName } from '../model-name.js';
import { sameText } from '../same-text.js';
import type { SocketRefusal, SocketRoute } from '../socket-routes.js';
import { flawOf, isWithin, messageIn, RATE, type ProviderDesk } from './provider-speech.js';

const VERSIONS = ['2024-06-10', '2024-11-13', '2025-04-16', '2026-03-01'];
const MODELS = ['sonic-2', 'sonic-3', 'sonic-3.5', 'sonic-3.6', 'sonic-latest'];
const VOICES = ['f786b574-daa5-4673-aa0c-cbe3e8534c02', 'a0e99841-438c-4a64-b679-ae501e7d6091'];
const LANGUAGES = 'en de es fr ja pt zh hi ko it nl pl ru sv tr da no fi cs ar'.split(' ');
/** Seconds without a message until the socket is closed. */
const IDLE_SECONDS = 300;
/** A context ends so long after its last audio. */
const CONTEXT_MS = 1_000;
/** How long a continued text is kept for more of it. */
const BUFFER = { standardMs: 3_000, longestMs: 5_000 };

/** A context from its first input; another one with its name is refused. */
interface Context {
  /** What all of its inputs have in common. */
  settings: string;
  /** Not spoken yet. */
  text: string;
  hasEnded: boolean;
  flushes: number;
  /** Ends with the audio of all texts; false: it broke off. */
  spoken: Promise<boolean>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Cartesia's text to speech over a WebSocket, by its reference: errors are events, after which the socket stays open.
 * The inputs of a context are joined, have the same settings, and are kept for `max_buffer_delay_ms` while more may
 * follow. The names of errors of contexts are assumed.
 */
export const cartesiaSocket = (desk: ProviderDesk): SocketRoute => ({
  path: /^\/tts\/websocket$/,
  refuse: (request) => refusal(request, desk),
  open: (socket) => new CartesiaSocket(socket, desk).begin(),
});

const errorOf = (error_code: string, title: string, message: string): object => ({
  error_code,
  title,
  message,
  request_id: randomUUID(),
});

function refusal({ headers }: IncomingMessage, { apiKey }: ProviderDesk): SocketRefusal | null {
  const key = String(headers['x-api-key'] ?? (headers.authorization ?? '').replace(/^Bearer /, ''));
  if (!sameText(key, apiKey))
    return { status: 401, body: errorOf('unauthorized', 'Unauthorized', 'The API key is not valid.') };
  if (!VERSIONS.includes(String(headers['cartesia-version'])))
    return {
      status: 400,
      body: errorOf('invalid_version', 'Invalid version', 'Cartesia-Version is required.'),
    };
  return null;
}

class CartesiaSocket {
  private readonly contexts = new Map<string, Context>();
  private readonly cancelled = new Set<string>();
  /** With the defect `mixes`: audio of cancelled contexts, which is sent in the next one. */
  private leftover: Buffer[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly desk: ProviderDesk,
  ) {}

  begin(): void {
    const wait = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.socket.close(1000), IDLE_SECONDS * 1000);
    };
    wait();
    this.socket.on('close', () => {
      clearTimeout(this.timer);
      for (const context of this.contexts.values()) stopTimer(context);
    });
    this.socket.on('message', (data) => {
      wait();
      this.receive(messageIn(data));
    });
  }

  private receive(message: Record<string, unknown> | null): void {
    const contextId = typeof message?.['context_id'] === 'string' ? message['context_id'] : '';
    if (!message) return this.error('', 'invalid_request', 400, 'The message is no JSON.');
    const known = this.contexts.get(contextId);
    if (message['cancel'] === true) return this.cancel(contextId, known);
    const fault = faultIn(message, known !== undefined);
    if (fault) return this.error(contextId, ...fault);
    const { continue: isContinued = false, transcript, duration: _, ...others } = message;
    const settings = JSON.stringify(others);
    if (known?.hasEnded) return this.error(contextId, 'invalid_context', 400, 'The context has ended.');
    if (known && known.settings !== settings)
      return this.error(contextId, 'invalid_context', 400, 'Inputs of a context have the same settings.');
    if (!known && (this.desk.isFull || flawOf(String(message['model_id'])) === 'busy'))
      return this.error(contextId, 'concurrency_limited', 429, 'Too many concurrent requests.');
    const spoken = Promise.resolve(true);
    const context = known ?? { settings, text: '', hasEnded: false, flushes: 0, spoken, timer: undefined };
    this.contexts.set(contextId, context);
    stopTimer(context);
    context.text += String(transcript);
    context.hasEnded = isContinued !== true;
    const delayMs = Number(message['max_buffer_delay_ms'] ?? BUFFER.standardMs);
    const flush = (): void => this.flush(contextId, context, message);
    if (context.hasEnded || delayMs === 0) flush();
    else context.timer = setTimeout(flush, delayMs);
  }

  private cancel(contextId: string, context: Context | undefined): void {
    this.cancelled.add(contextId);
    if (!context) return;
    context.hasEnded = true;
    stopTimer(context);
  }

  /** One text of a context is spoken after the other. */
  private flush(contextId: string, context: Context, message: Record<string, unknown>): void {
    const { text, hasEnded } = context;
    context.text = '';
    stopTimer(context);
    context.spoken = context.spoken.then(async (isWhole) => {
      if (!isWhole || (text.trim() !== '' && !(await this.speak(contextId, text, message)))) return false;
      if (hasEnded) this.send({ type: 'done', done: true, status_code: 206, context_id: contextId });
      else this.flushed(contextId, context);
      return true;
    });
  }

  private flushed(context_id: string, context: Context): void {
    context.flushes += 1;
    const flush = { flush_done: true, flush_id: context.flushes, data: '' };
    this.send({ type: 'flush_done', done: false, status_code: 206, context_id, ...flush });
    // Not while more of it is to be spoken.
    if (!context.hasEnded) context.timer ??= setTimeout(() => (context.hasEnded = true), CONTEXT_MS);
  }

  private speak(contextId: string, text: string, message: Record<string, unknown>): Promise<boolean> {
    const { model_id, voice, generation_config = {}, language } = message;
    const model = String(model_id);
    const mixes = flawOf(model) === 'mixes';
    return this.desk.speak(
      {
        provider: 'Cartesia',
        model,
        voice: String((voice as { id: unknown }).id),
        text,
        settings: { ...(generation_config as object), language },
      },
      (audio) => {
        if (mixes && this.cancelled.has(contextId)) return void this.leftover.push(audio);
        for (const piece of [...this.leftover.splice(0), audio]) this.chunk(contextId, piece);
      },
      {
        isOver: () =>
          this.socket.readyState !== this.socket.OPEN || (this.cancelled.has(contextId) && !mixes),
        cut: () => this.socket.terminate(),
      },
    );
  }

  private chunk(context_id: string, audio: Buffer): void {
    const data = audio.toString('base64');
    this.send({ type: 'chunk', data, done: false, status_code: 206, context_id });
  }

  private error(context_id: string, code: string, status_code: number, message: string): void {
    const error = errorOf(code, 'The request was refused', message);
    this.send({ type: 'error', done: true, status_code, ...error, ...(context_id && { context_id }) });
  }

  private send(message: object): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function stopTimer(context: Context): void {
  clearTimeout(context.timer);
  context.timer = undefined;
}

/** @param isKnown whether the context has begun: its last input may be empty */
function faultIn(
  message: Record<string, unknown>,
  isKnown: boolean,
): readonly [string, number, string] | null {
  const { context_id, model_id, transcript, voice, language, output_format, generation_config } = message;
  const { continue: isContinued = false, max_buffer_delay_ms: delayMs = 0 } = message;
  const { mode, id } = (voice ?? {}) as Record<string, unknown>;
  const { container, encoding, sample_rate } = (output_format ?? {}) as Record<string, unknown>;
  const { speed } = (generation_config ?? {}) as Record<string, unknown>;
  if (typeof context_id !== 'string' || !/^[\w-]+$/.test(context_id))
    return ['invalid_request', 400, 'context_id is required.'];
  if (typeof model_id !== 'string' || !MODELS.includes(baseName(model_id)))
    return ['model_not_found', 400, 'The model is not valid, make sure it is a valid model ID.'];
  if (mode !== 'id' || typeof id !== 'string' || !VOICES.includes(id))
    return ['voice_not_found', 404, 'The voice does not exist.'];
  const mayBeEmpty = isKnown && isContinued === false;
  if (typeof transcript !== 'string' || (transcript.trim() === '' && !mayBeEmpty))
    return ['invalid_request', 400, 'transcript is required.'];
  if (typeof isContinued !== 'boolean') return ['invalid_request', 400, 'continue must be a boolean.'];
  if (!Number.isInteger(delayMs) || !isWithin(delayMs, 0, BUFFER.longestMs))
    return ['invalid_request', 400, 'max_buffer_delay_ms must be from 0 to 5000.'];
  if (typeof language !== 'string' || !LANGUAGES.includes(language))
    return ['invalid_language', 400, 'The language is not supported.'];
  if (container !== 'raw' || encoding !== 'pcm_s16le' || sample_rate !== RATE)
    return ['invalid_output_format', 400, `The sandbox makes raw pcm_s16le at ${RATE} Hz.`];
  if (speed !== undefined && (baseName(model_id) === 'sonic-2' || !isWithin(speed, 0.6, 1.5)))
    return ['invalid_request', 400, 'speed must be from 0.6 to 1.5.'];
  return null;
}
