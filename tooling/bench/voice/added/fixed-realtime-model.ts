import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { fromPcm } from '#src/modules/speech/audio/audio-format.js';
import type { ResponseParams, SessionUpdate } from '../../../sandbox/model/realtime-events.js';
import { newId } from '../../../sandbox/model/realtime-items.js';
import { audioAt, FRAME_MS } from '../../realtime/audio-frames.js';
import { customerName, questionOf } from '../../support/customer-names.js';
import { callOfVoice, pcmVoiceOf, toTelephone, voiceOf } from './call-voices.js';
import type { TurnLatencies } from './turn-latencies.js';

/** From the end of a turn to its transcript. */
const TRANSCRIPT_MS = 100;
/** From a request to the first audio. */
const RESPONSE_MS = 200;
/** Of a session with 16-bit samples. */
const PCM_RATE = 24_000;
/** A second of speech in pieces of 100 ms, sent five times as fast as it is played. */
const PIECE_FRAMES = 5;
const PIECES = 10;
const PIECE_MS = 20;

/** Audio of a session, both ways. */
interface SessionAudio {
  /** Beginning of silence, in base64. */
  silent: string;
  /** Of a frame, in base64: enough to tell whose voice it is. */
  voiceCharacters: number;
  callOf(voice: Buffer): number;
  /** In base64. */
  piece: string;
}

const pieceOf = (frame: Buffer): string =>
  Buffer.concat(Array.from({ length: PIECE_FRAMES }, () => frame)).toString('base64');

const ULAW: SessionAudio = {
  silent: '////',
  voiceCharacters: 8,
  callOf: callOfVoice,
  piece: pieceOf(voiceOf(0)),
};
const PCM: SessionAudio = {
  silent: 'AAAA',
  voiceCharacters: 16,
  callOf: (voice) => callOfVoice(toTelephone(fromPcm(voice), PCM_RATE)),
  piece: pieceOf(pcmVoiceOf(0)),
};

/** The words of a sentence that is given to the model. */
const GIVEN = /"([^]*)"/;

/** A session of a realtime model that hears loud audio as speech, and responds after a fixed delay. */
export class FixedRealtimeModel {
  private audio = ULAW;
  /** Silence that ends a turn, as set by the client. */
  private silenceMs = 500;
  private silentMs = 0;
  /** The turn that is being spoken; null: none. */
  private turn: { itemId: string; call: number } | null = null;
  private call = 0;

  /** @param calls latencies of each call, by its number */
  constructor(
    private readonly socket: WebSocket,
    private readonly calls: readonly TurnLatencies[],
  ) {
    socket.on('message', (data: Buffer) => this.receive(data.toString('latin1')));
  }

  private receive(text: string): void {
    const arrivedAt = performance.now();
    const at = audioAt(text);
    if (at >= 0) return this.hear(text, at);
    if (text.includes('"type":"session.update"')) {
      const { session } = JSON.parse(text) as { session: SessionUpdate };
      this.update(session);
    } else if (text.includes('"type":"response.create"')) {
      const { response } = JSON.parse(text) as { response: ResponseParams };
      void this.respond(response, arrivedAt);
    }
  }

  private update({ audio }: SessionUpdate): void {
    const { format, turn_detection } = audio?.input ?? {};
    if (format) this.audio = format.type === 'audio/pcm' ? PCM : ULAW;
    this.silenceMs = turn_detection?.silence_duration_ms ?? this.silenceMs;
    this.send('session.updated');
  }

  /** A frame whose audio is at a position of the text. */
  private hear(text: string, at: number): void {
    const { silent, voiceCharacters, callOf } = this.audio;
    const isSilent = text.startsWith(silent, at);
    this.silentMs = isSilent ? this.silentMs + FRAME_MS : 0;
    if (this.turn && this.silentMs >= this.silenceMs) return this.endTurn(this.turn);
    if (this.turn || isSilent) return;
    this.call = callOf(Buffer.from(text.slice(at, at + voiceCharacters), 'base64'));
    this.turn = { itemId: newId('item'), call: this.call };
    this.send('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: this.turn.itemId });
  }

  private endTurn({ itemId: item_id, call }: { itemId: string; call: number }): void {
    this.turn = null;
    this.send('input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id });
    this.calls[call]?.stimulate();
    this.send('input_audio_buffer.committed', { item_id, previous_item_id: null });
    const transcript = questionOf(customerName(call));
    const completed = 'conversation.item.input_audio_transcription.completed';
    setTimeout(() => this.send(completed, { item_id, content_index: 0, transcript }), TRANSCRIPT_MS);
  }

  private async respond(
    { conversation, instructions, metadata }: ResponseParams,
    requestedAt: number,
  ): Promise<void> {
    // A given sentence is no response to the customer.
    const latencies = conversation === 'none' ? undefined : this.calls[this.call];
    latencies?.request(requestedAt);
    await sleep(RESPONSE_MS);
    const response = { id: newId('resp'), metadata, output: [] };
    const [response_id, item_id] = [response.id, newId('item')];
    const base = { response_id, item_id, output_index: 0, content_index: 0 };
    const given = conversation === 'none' ? GIVEN.exec(instructions ?? '')?.[1] : undefined;
    const transcript = given ?? `It is ready, ${customerName(this.call)}.`;
    this.send('response.created', { response: { ...response, status: 'in_progress' } });
    const item = { id: item_id, type: 'message', role: 'assistant', content: [] };
    this.send('response.output_item.added', { response_id, output_index: 0, item });
    this.send('response.content_part.added', { ...base, part: { type: 'audio', transcript: '' } });
    this.send('response.output_audio_transcript.delta', { ...base, delta: transcript });
    latencies?.answer(requestedAt);
    const { piece } = this.audio;
    for (let sent = 0; sent < PIECES; sent++) {
      this.send('response.output_audio.delta', { ...base, delta: piece });
      await sleep(PIECE_MS);
    }
    this.send('response.done', { response: { ...response, status: 'completed' } });
  }

  private send(type: string, fields: object = {}): void {
    if (this.socket.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ type, event_id: newId('event'), ...fields }));
  }
}
