import { EndOfSocket } from './carrier.mjs';

/** The endpoint's side of a session: responses follow the scenario, in pieces at their times. */
export class Model {
  appended = [];
  truncated = [];
  cancelled = 0;
  asked = 0;
  #active = null;
  #later = [];

  /** @param {{ pieces: { atMs: number, audio: Buffer }[] }[]} answers in the order of their requests */
  constructor(answers) {
    this.answers = [...answers];
    this.socket = new EndOfSocket((event) => this.#receive(event));
  }

  /** @param {number} now milliseconds since the beginning */
  step(now) {
    this.now = now;
    for (let next = this.#later[0]; next && next.atMs <= now; next = this.#later[0]) {
      this.#later.shift();
      next.happens();
    }
  }

  speechStarted() {
    const type = 'input_audio_buffer.speech_started';
    this.socket.arrives({ type, event_id: 'e', item_id: 'heard_1', audio_start_ms: 0 });
  }

  #receive(event) {
    if (event.type === 'session.update') return this.#updated();
    if (event.type === 'input_audio_buffer.append') this.appended.push(Buffer.from(event.audio, 'base64'));
    if (event.type === 'conversation.item.truncate')
      this.truncated.push({ item: event.item_id, endMs: event.audio_end_ms });
    if (event.type === 'response.cancel') this.#cancel();
    if (event.type === 'response.create') this.#begin(event.response?.metadata ?? null);
  }

  #updated() {
    const turn_detection = { type: 'server_vad', create_response: false, interrupt_response: false };
    const format = { type: 'audio/pcmu' };
    const audio = { input: { format, turn_detection }, output: { format } };
    this.#at(0, () =>
      this.socket.arrives({ type: 'session.updated', event_id: 'e', session: { type: 'realtime', audio } }),
    );
  }

  #begin(metadata) {
    this.asked += 1;
    const response = {
      id: `resp_${this.asked}`,
      object: 'realtime.response',
      metadata,
      output: [],
      usage: null,
    };
    const item = `item_${this.asked}`;
    const base = {
      response_id: response.id,
      item_id: item,
      output_index: 0,
      content_index: 0,
      event_id: 'e',
    };
    const { pieces } = this.answers.shift() ?? { pieces: [] };
    this.#active = response;
    this.socket.arrives({
      type: 'response.created',
      event_id: 'e',
      response: { ...response, status: 'in_progress' },
    });
    for (const { atMs, audio } of pieces) {
      this.#at(FIRST_MS + atMs, () => {
        this.socket.arrives({ type: 'response.output_audio_transcript.delta', ...base, delta: 'word ' });
        this.socket.arrives({
          type: 'response.output_audio.delta',
          ...base,
          delta: audio.toString('base64'),
        });
      });
    }
    this.#at(FIRST_MS + (pieces.at(-1)?.atMs ?? 0), () => {
      if (this.#active !== response) return;
      this.socket.arrives({ type: 'response.output_audio.done', ...base });
      this.#end('completed');
    });
  }

  /** Audio in transit still arrives. */
  #cancel() {
    this.cancelled += 1;
    if (!this.#active) return;
    const late = this.now + LATE_MS;
    this.#later = this.#later.filter(({ atMs }) => atMs <= late);
    this.#end('cancelled', LATE_MS);
  }

  #end(status, afterMs = 0) {
    const response = { ...this.#active, status };
    this.#active = null;
    this.#at(afterMs, () => this.socket.arrives({ type: 'response.done', event_id: 'e', response }));
  }

  #at(ms, happens) {
    this.#later.push({ atMs: (this.now ?? 0) + ms, happens });
    this.#later.sort((one, other) => one.atMs - other.atMs);
  }
}

const LATE_MS = 40;
/** Latency of a model. */
const FIRST_MS = 20;
