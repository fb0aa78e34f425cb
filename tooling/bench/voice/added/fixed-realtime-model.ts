import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ResponseParams } from '../../../sandbox/model/realtime-events.js';
import { newId } from '../../../sandbox/model/realtime-items.js';
import { audioAt, FRAME_MS } from '../../realtime/audio-frames.js';
import { customerName, questionOf } from '../../support/customer-names.js';
import { callOfVoice, voiceOf } from './call-voices.js';
import type { TurnLatencies } from './turn-latencies.js';

/** From the end of a turn to its transcript. */
const TRANSCRIPT_MS = 100;
/** From a request to the first audio. */
const RESPONSE_MS = 200;
/** A second of speech in pieces of 100 ms, sent five times as fast as it is played. */
const PIECE = Buffer.concat(Array.from({ length: 5 }, () => voiceOf(0))).toString('base64');
const PIECES = 10;
const PIECE_MS = 20;

/** Beginning of silent µ-law audio in base64. */
const SILENT = '////';
/** Of a frame, in base64: enough to tell whose voice it is. */
const VOICE_CHARACTERS = 8;
/** The words of a sentence that is given to the model. */
const GIVEN = /"([^]*)"/;

/** A session of a realtime model that hears loud audio as speech, and responds after a fixed delay. */
export class FixedRealtimeModel {
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
      this.silenceMs = Number(/"silence_duration_ms":(\d+)/.exec(text)?.[1] ?? this.silenceMs);
      this.send('session.updated');
    } else if (text.includes('"type":"response.create"')) {
      const { response } = JSON.parse(text) as { response: ResponseParams };
      void this.respond(response, arrivedAt);
    }
  }

  /** A frame whose audio is at a position of the text. */
  private hear(text: string, at: number): void {
    const isSilent = text.startsWith(SILENT, at);
    this.silentMs = isSilent ? this.silentMs + FRAME_MS : 0;
    if (this.turn && this.silentMs >= this.silenceMs) return this.endTurn(this.turn);
    if (this.turn || isSilent) return;
    this.call = callOfVoice(Buffer.from(text.slice(at, at + VOICE_CHARACTERS), 'base64'));
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
    for (let piece = 0; piece < PIECES; piece++) {
      this.send('response.output_audio.delta', { ...base, delta: PIECE });
      await sleep(PIECE_MS);
    }
    this.send('response.done', { response: { ...response, status: 'completed' } });
  }

  private send(type: string, fields: object = {}): void {
    if (this.socket.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ type, event_id: newId('event'), ...fields }));
  }
}
