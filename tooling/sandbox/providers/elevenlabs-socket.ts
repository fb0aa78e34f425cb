import type { WebSocket } from 'ws';
import { baseName } from '../model-name.js';
import { sameText } from '../same-text.js';
import type { SocketRoute } from '../socket-routes.js';
import { flawOf, isWithin, messageIn, type ProviderDesk } from './provider-speech.js';

const PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/;
/** Voices of the catalogue, and one of its own. */
const VOICES = [
  '21m00Tcm4TlvDq8ikWAM',
  'EXAVITQu4vr4xnSDxMaL',
  'pNInz6obpgDQGcFmaJgB',
  'ErXwobaYiN019PkySvjV',
  'XB0fDUnXU5powFXDhCwa',
  'JBFqnCBsd6RMkjVDRZzb',
];
/** Maximum characters of a request, by model. The newest model has no such socket: the status is 403. */
const MODELS: Record<string, number> = {
  eleven_flash_v2_5: 40_000,
  eleven_turbo_v2_5: 40_000,
  eleven_flash_v2: 30_000,
  eleven_multilingual_v2: 10_000,
};
const WITHOUT_SOCKET = ['eleven_v3'];
const FORMATS = [
  'pcm_8000',
  'pcm_16000',
  'pcm_22050',
  'pcm_24000',
  'pcm_44100',
  'ulaw_8000',
  'mp3_44100_128',
];
const MADE_HERE = 'pcm_24000';
const LANGUAGES =
  'ar bg cs da de el en es fi fil fr hi hr hu id it ja ko ms nl no pl pt ro ru sk sv ta tr uk vi zh'.split(
    ' ',
  );
const MAX_CONTEXTS = 5;
const INACTIVITY = { standard: 20, longest: 180 };
const SETTINGS = { stability: [0, 1], similarity_boost: [0, 1], style: [0, 1], speed: [0.7, 1.2] } as const;

interface Context {
  settings: Record<string, unknown>;
  /** Not flushed. */
  text: string;
  characters: number;
  isClosed: boolean;
  /** Ends with the audio of all flushed texts; false: it broke off. */
  spoken: Promise<boolean>;
}

/**
 * ElevenLabs' text to speech over a multi-context WebSocket, by its reference and its client libraries. Errors have
 * the form `{message, error, code}` and close the socket. The names of errors are published for the key, the voice,
 * the length, the format of messages, contexts and inactivity; those for models, formats and languages are assumed.
 */
export const elevenLabsSocket = (desk: ProviderDesk): SocketRoute => ({
  path: PATH,
  refuse: (_request, url) =>
    WITHOUT_SOCKET.includes(baseName(url.searchParams.get('model_id') ?? '')) ? { status: 403 } : null,
  open: (socket, request, url) => {
    const key = String(request.headers['xi-api-key'] ?? '');
    new ElevenLabsSocket(socket, url, desk).begin(key);
  },
});

class ElevenLabsSocket {
  private readonly contexts = new Map<string, Context>();
  private readonly voice: string;
  private readonly model: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly url: URL,
    private readonly desk: ProviderDesk,
  ) {
    this.voice = decodeURIComponent(PATH.exec(url.pathname)?.[1] ?? '');
    this.model = url.searchParams.get('model_id') ?? 'eleven_multilingual_v2';
  }

  begin(key: string): void {
    this.socket.on('close', () => clearTimeout(this.timer));
    const query = (name: string): string | null => this.url.searchParams.get(name);
    const limit = Number(query('inactivity_timeout') ?? INACTIVITY.standard);
    if (!sameText(key, this.desk.apiKey)) return this.refuse('invalid_api_key', 'Invalid API key');
    if (MODELS[baseName(this.model)] === undefined)
      return this.refuse('model_not_found', `A model with model ID ${this.model} does not exist.`);
    if (!VOICES.includes(this.voice))
      return this.refuse('voice_not_found', `A voice with the voice_id ${this.voice} was not found.`);
    if (!FORMATS.includes(query('output_format') ?? 'mp3_44100_128') || query('output_format') !== MADE_HERE)
      return this.refuse('invalid_output_format', `The sandbox makes ${MADE_HERE}.`);
    const language = query('language_code');
    if (language !== null && !(baseName(this.model).endsWith('_v2_5') && LANGUAGES.includes(language)))
      return this.refuse('unsupported_language', `Model ${this.model} does not support language_code.`);
    if (!isWithin(limit, 1, INACTIVITY.longest))
      return this.refuse('invalid_input_message', 'inactivity_timeout must be at most 180.');
    this.wait(limit);
    this.socket.on('message', (data) => {
      this.wait(limit);
      this.receive(messageIn(data));
    });
  }

  private wait(seconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.refuse('input_timeout_exceeded', `Have not received a new text input within ${seconds} seconds.`);
    }, seconds * 1000);
  }

  private receive(message: Record<string, unknown> | null): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    const { context_id: id, text, voice_settings, flush, close_context, close_socket } = message ?? {};
    if (close_socket === true) return this.socket.close(1000);
    if (!message || typeof id !== 'string')
      return this.refuse('invalid_input_message', 'Could not parse input message.');
    const context = this.contexts.get(id);
    if (!context) return this.open(id, text, voice_settings);
    if (voice_settings !== undefined || (text !== undefined && typeof text !== 'string'))
      return this.refuse('invalid_input_message', 'Settings stand in the first message of a context.');
    if (context.isClosed) return this.refuse('invalid_input_message', 'The context is closed.');
    context.text += text ?? '';
    context.characters += text?.length ?? 0;
    const limit = MODELS[baseName(this.model)] ?? 0;
    if (context.characters > limit)
      return this.refuse(
        'max_character_limit_exceeded',
        `The text has ${context.characters} characters and exceeds the limit of ${limit}.`,
      );
    if (flush === true) this.flush(id, context);
    if (close_context === true) this.close(id, context);
  }

  private open(id: string, text: unknown, given: unknown): void {
    const settings = (given ?? {}) as Record<string, unknown>;
    const isKnown = Object.entries(settings).every(([name, value]) => {
      const range = SETTINGS[name as keyof typeof SETTINGS];
      return name === 'use_speaker_boost' || (range !== undefined && isWithin(value, range[0], range[1]));
    });
    if (text !== ' ' || !isKnown)
      return this.refuse('invalid_input_message', 'The first message of a context has a blank as its text.');
    if (this.contexts.size >= MAX_CONTEXTS)
      return this.refuse(
        'max_active_conversations',
        `Maximum simultaneous contexts exceeded (${MAX_CONTEXTS}).`,
      );
    if (this.desk.isFull || flawOf(this.model) === 'busy')
      return this.refuse('too_many_concurrent_requests', 'Too many concurrent requests.');
    const spoken = Promise.resolve(true);
    this.contexts.set(id, { settings, text: '', characters: 0, isClosed: false, spoken });
  }

  /** One text of a context is spoken after the other. */
  private flush(id: string, context: Context): void {
    const { text, settings } = context;
    context.text = '';
    context.spoken = context.spoken.then((isWhole) => isWhole && this.speak(id, text, settings));
  }

  private close(contextId: string, context: Context): void {
    context.isClosed = true;
    void context.spoken.then((isWhole) => {
      this.contexts.delete(contextId);
      if (isWhole) this.send({ isFinal: true, contextId });
    });
  }

  private speak(contextId: string, text: string, settings: Record<string, unknown>): Promise<boolean> {
    const { voice, model } = this;
    return this.desk.speak(
      { provider: 'ElevenLabs', model, voice, text, settings },
      (audio) => this.send({ audio: audio.toString('base64'), contextId }),
      {
        isOver: () => this.socket.readyState !== this.socket.OPEN,
        cut: () => this.socket.terminate(),
      },
    );
  }

  private send(message: object): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private refuse(error: string, message: string): void {
    this.send({ message, error, code: 1008 });
    this.socket.close(1008, message.slice(0, 120));
  }
}
