import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { askedIn, baseName } from '../model-name.js';
import { sameText } from '../same-text.js';
import type { SocketRoute } from '../socket-routes.js';
import { interimMs } from '../speech/recognition-delay.js';
import { deepgramRefusal } from './deepgram-speak-socket.js';
import { earOf } from './ear.js';
import { FluxTurn } from './flux-turn.js';
import { flawOf, messageIn, type ProviderDesk } from './provider-speech.js';
import { RecogniserFlaws } from './recogniser-flaws.js';

const MODELS = ['flux-general-en', 'flux-general-multi'];
const LANGUAGES = ['en', 'es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl'];
const ENCODINGS = ['linear16', 'mulaw'];
const RATES = [8_000, 16_000, 24_000, 44_100, 48_000];
const RANGES: Record<string, [number, number]> = {
  eot_threshold: [0.5, 1],
  eager_eot_threshold: [0.3, 0.9],
  eot_timeout_ms: [500, 60_000],
};
const QUERY = ['model', 'encoding', 'sample_rate', 'language_hint', ...Object.keys(RANGES)];

/** Between the audio and the events of it. */
const EVENT_MS = 250;
/** Of audio, between two events. */
const UPDATE_MS = 250;

/**
 * Deepgram's Flux, by its reference. With `+repeats` in the name of the model a server with a defect: an end after an
 * eager end has its words twice.
 */
export const deepgramFluxSocket = (desk: ProviderDesk): SocketRoute => ({
  path: /^\/v2\/listen$/,
  refuse: ({ headers }, { searchParams: query }) => {
    const model = baseName(query.get('model') ?? '');
    const wrong = (message: string) => deepgramRefusal(400, 'INVALID_QUERY_PARAMETER', message);
    if (!sameText(headers.authorization ?? '', `Token ${desk.apiKey}`))
      return deepgramRefusal(401, 'INVALID_AUTH', 'Invalid credentials.');
    if (!MODELS.includes(model)) return wrong('No such model/version combination found.');
    const unknown = [...query.keys()].find((name) => !QUERY.includes(name));
    if (unknown) return wrong(`Unknown parameter ${unknown}.`);
    if (!ENCODINGS.includes(query.get('encoding') ?? '') || !RATES.includes(Number(query.get('sample_rate'))))
      return wrong('Raw audio has an encoding and a sample rate.');
    for (const [name, [min, max]] of Object.entries(RANGES)) {
      const value = query.get(name);
      if (value !== null && !(Number(value) >= min && Number(value) <= max))
        return wrong(`${name} is from ${min} to ${max}.`);
    }
    const hint = query.get('language_hint');
    if (hint !== null && (model !== 'flux-general-multi' || !LANGUAGES.includes(hint)))
      return wrong('language_hint is not supported.');
    return flawOf(query.get('model') ?? '') === 'busy'
      ? deepgramRefusal(429, 'TOO_MANY_REQUESTS', 'Too many requests.')
      : null;
  },
  open: (socket, _request, { searchParams: query }) => listen(socket, query, desk),
});

function listen(socket: WebSocket, query: URLSearchParams, desk: ProviderDesk): void {
  let [sequence, turnIndex, seconds] = [0, 0, 0];
  const request_id = randomUUID();
  const model = query.get('model') ?? '';
  const flaws = new RecogniserFlaws(model, () => socket.terminate());
  const send = (message: object): void => {
    if (socket.readyState !== socket.OPEN || flaws.isSilent) return;
    socket.send(JSON.stringify({ request_id, sequence_id: sequence++, ...message }));
  };
  const eager = query.get('eager_eot_threshold');
  const repeats = askedIn(model, ['repeats']) !== null;
  const turn = new FluxTurn(
    {
      endThreshold: Number(query.get('eot_threshold') ?? 0.7),
      eagerThreshold: eager === null ? null : Number(eager),
      timeoutMs: Number(query.get('eot_timeout_ms') ?? 5_000),
      updateMs: desk.realMs(UPDATE_MS),
      hasEnds: flaws.hasFinals,
    },
    (event, transcript, trigger) => {
      const words = transcript
        .split(' ')
        .filter(Boolean)
        .map((word) => ({ word, confidence: 1 }));
      const text = repeats && event === 'EndOfTurn' ? `${transcript} ${transcript}` : transcript;
      const message = {
        type: 'TurnInfo',
        event,
        turn_index: turnIndex,
        transcript: text,
        words,
        end_of_turn_confidence: event.endsWith('EndOfTurn') ? 0.9 : 0.1,
        audio_window_start: 0,
        audio_window_end: seconds,
        ...(trigger && { trigger }),
      };
      setTimeout(
        () => {
          send(message);
          flaws.markResult();
        },
        desk.realMs(interimMs(model, EVENT_MS)),
      );
      if (event === 'EndOfTurn') turnIndex += 1;
    },
  );
  const bytesPerSecond = Number(query.get('sample_rate')) * (query.get('encoding') === 'mulaw' ? 1 : 2);
  const ear = earOf(query.get('encoding') ?? '', Number(query.get('sample_rate')));
  send({ type: 'Connected' });
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const heard = ear(data);
      seconds += data.length / bytesPerSecond;
      flaws.hear(heard);
      return turn.hear(heard, (data.length * 1000) / bytesPerSecond);
    }
    const type = messageIn(data)?.['type'];
    if (type === 'ForceEndTurn') return turn.force();
    if (type === 'CloseStream') return socket.close();
    send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: 'The message is not known.' });
    socket.close(1008);
  });
}
