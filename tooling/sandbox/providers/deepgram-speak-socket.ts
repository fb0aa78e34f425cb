import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { baseName } from '../model-name.js';
import { sameText } from '../same-text.js';
import type { SocketRefusal, SocketRoute } from '../socket-routes.js';
import { flawOf, messageIn, RATE, type ProviderDesk } from './provider-speech.js';

/** A voice is a model. */
const VOICES = /^(aura-2-(thalia|apollo|helena|arcas|celeste)-(en|es)|aura-(asteria|luna|orion)-en)$/;
const SPEED = { takes: /^aura-2-.*-(en|es)$/, from: 0.7, to: 1.5 };
const RATES: Record<string, number[]> = {
  linear16: [8_000, 16_000, 24_000, 32_000, 48_000],
  mulaw: [8_000, 16_000],
  alaw: [8_000, 16_000],
};
const QUERY = ['model', 'encoding', 'sample_rate', 'speed', 'mip_opt_out'];
/** Of a text; from the reference of HTTP requests. */
const MAX_CHARACTERS = 2_000;
const FLUSHES = { count: 20, seconds: 60 };

/** Deepgram's refusal, in a header and the body. */
export const deepgramRefusal = (status: number, err_code: string, err_msg: string): SocketRefusal => ({
  status,
  headers: {
    'dg-error': err_msg,
    'dg-request-id': randomUUID(),
    ...(status === 429 && { 'retry-after': '1' }),
  },
  body: { err_code, err_msg, request_id: randomUUID() },
});

/** Deepgram's Aura over a WebSocket, by its reference and its troubleshooting guide. */
export const deepgramSpeakSocket = (desk: ProviderDesk): SocketRoute => ({
  path: /^\/v1\/speak$/,
  refuse: ({ headers }, { searchParams: query }) => {
    const model = query.get('model') ?? 'aura-asteria-en';
    const encoding = query.get('encoding') ?? 'linear16';
    const rate = Number(query.get('sample_rate') ?? RATE);
    const speed = query.get('speed');
    if (!sameText(headers.authorization ?? '', `Token ${desk.apiKey}`))
      return deepgramRefusal(401, 'INVALID_AUTH', 'Invalid credentials.');
    const unknown = [...query.keys()].find((name) => !QUERY.includes(name));
    if (unknown) return deepgramRefusal(400, 'INVALID_QUERY_PARAMETER', `Unknown parameter ${unknown}.`);
    if (!VOICES.test(baseName(model)))
      return deepgramRefusal(400, 'INVALID_QUERY_PARAMETER', 'No such model.');
    if (!RATES[encoding]?.includes(rate))
      return deepgramRefusal(400, 'UNSUPPORTED_AUDIO_FORMAT', 'Unsupported audio format.');
    if (encoding !== 'linear16' || rate !== RATE)
      return deepgramRefusal(400, 'UNSUPPORTED_AUDIO_FORMAT', `The sandbox makes linear16 at ${RATE} Hz.`);
    const isSpeed = speed === null || (Number(speed) >= SPEED.from && Number(speed) <= SPEED.to);
    if (!isSpeed || (speed !== null && !SPEED.takes.test(baseName(model))))
      return deepgramRefusal(
        400,
        'INVALID_QUERY_PARAMETER',
        'speed is from 0.7 to 1.5, of English and Spanish.',
      );
    if (!desk.hasSocket || flawOf(model) === 'busy')
      return deepgramRefusal(429, 'TOO_MANY_REQUESTS', 'Too many requests.');
    return null;
  },
  open: (socket, _request, { searchParams: query }) => {
    desk.takeSocket((release) => socket.once('close', release));
    const settings = query.get('speed') === null ? {} : { speed: Number(query.get('speed')) };
    new SpeakSocket(socket, query.get('model') ?? 'aura-asteria-en', settings, desk).begin();
  },
});

class SpeakSocket {
  private text = '';
  private flushes: number[] = [];
  private sequence = 0;
  private earlier: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: WebSocket,
    private readonly model: string,
    private readonly settings: Record<string, unknown>,
    private readonly desk: ProviderDesk,
  ) {}

  begin(): void {
    this.send({
      type: 'Metadata',
      request_id: randomUUID(),
      model_name: baseName(this.model),
      model_version: '1',
    });
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) this.socket.close(1003, 'MESSAGE-0000');
      else this.receive(messageIn(data));
    });
  }

  private receive(message: Record<string, unknown> | null): void {
    const { type, text } = message ?? {};
    if (type === 'Speak' && typeof text === 'string') {
      this.text += text;
      if (text.length > MAX_CHARACTERS) this.socket.close(1009, 'BIG-0000');
    } else if (type === 'Flush') this.flush();
    else if (type === 'Clear') {
      this.text = '';
      this.send({ type: 'Cleared', sequence_id: this.sequence });
    } else if (type === 'Close') this.socket.close(1000);
    else this.socket.close(1008, 'DATA-0000');
  }

  private flush(): void {
    const now = Date.now();
    this.flushes = this.flushes.filter((at) => at > now - FLUSHES.seconds * 1000);
    if (this.flushes.length >= FLUSHES.count)
      return this.send({ type: 'Warning', code: 'EXCESSIVE_FLUSH', description: 'Too many flushes.' });
    this.flushes.push(now);
    const text = this.text;
    this.text = '';
    // Sequential, because the audio has no context id.
    this.earlier = this.earlier.then(() => this.speak(text));
  }

  private async speak(text: string): Promise<void> {
    const flushed = (): void => this.send({ type: 'Flushed', sequence_id: this.sequence++ });
    const isEarly = flawOf(this.model) === 'early';
    const isWhole = await this.desk.speak(
      { provider: 'Deepgram', model: this.model, voice: baseName(this.model), text, settings: this.settings },
      (audio, left) => {
        if (this.socket.readyState === this.socket.OPEN) this.socket.send(audio);
        if (isEarly && left === 2) flushed();
      },
      {
        isOver: () => this.socket.readyState !== this.socket.OPEN,
        cut: () => this.socket.terminate(),
      },
    );
    if (isWhole && !isEarly) flushed();
  }

  private send(message: object): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
