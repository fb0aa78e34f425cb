import { Logger } from '@nestjs/common';
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import type { ModelTool } from '../../llm/language-model.js';
import type { RealtimeConnection, RealtimeEvent, RealtimeItem, RealtimeRequest } from '../realtime-model.js';
import {
  fieldsOf,
  RealtimeEventReader,
  textOf,
  toConversationItem,
  toResponse,
} from './realtime-messages.js';
import { toTool, toTranscription } from './session-settings.js';

/** What an endpoint may leave unread: half a minute of telephone audio as base64. */
const MAX_BACKLOG_BYTES = 320_000;
/** Errors that follow from two messages that crossed: the response had ended when we cancelled it. */
const HARMLESS = new Set(['response_cancel_not_active']);
const BUSY = 'conversation_already_has_active_response';
const MAX_CODE_CHARACTERS = 100;
const RESPONSE_EVENT = 'respond.';

/** A session of the OpenAI Realtime interface (generally available form). */
export class OpenAiRealtimeConnection implements RealtimeConnection {
  private readonly logger = new Logger(OpenAiRealtimeConnection.name);
  private readonly reader = new RealtimeEventReader();
  private instructions = '';
  private tools = '';
  private closed = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly onEvent: (event: RealtimeEvent) => void,
    /** Null: the default. */
    private readonly transcriptionModel: string | null,
  ) {
    socket.on('close', () => {
      if (!this.closed) onEvent({ kind: 'closed' });
      this.closed = true;
    });
  }

  append(audio: Buffer): void {
    if (this.socket.bufferedAmount > MAX_BACKLOG_BYTES) return this.socket.terminate();
    // Not JSON.stringify, which looks at each character: base64 has none to escape.
    this.transmit(`{"type":"input_audio_buffer.append","audio":"${audio.toString('base64')}"}`);
  }

  instruct(instructions: string, tools: readonly ModelTool[]): void {
    const named = JSON.stringify(tools);
    if (instructions === this.instructions && named === this.tools) return;
    this.instructions = instructions;
    this.tools = named;
    this.send({
      type: 'session.update',
      session: { type: 'realtime', instructions, tools: tools.map(toTool) },
    });
  }

  listenIn(language: string): void {
    const transcription = toTranscription(language, this.transcriptionModel);
    this.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } });
  }

  add(item: RealtimeItem, after?: string | null): void {
    const previous_item_id = after === null ? 'root' : after;
    this.send({
      type: 'conversation.item.create',
      item: toConversationItem(item),
      ...(previous_item_id !== undefined && { previous_item_id }),
    });
  }

  truncate(itemId: string, endMs: number): void {
    const audio_end_ms = Math.max(0, Math.floor(endMs));
    this.send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms });
  }

  respond(request: RealtimeRequest): void {
    this.send({
      type: 'response.create',
      event_id: RESPONSE_EVENT + request.response,
      response: toResponse(request, this.instructions),
    });
  }

  cancel(response: string): void {
    const response_id = this.reader.idOf(response);
    this.send({ type: 'response.cancel', ...(response_id !== undefined && { response_id }) });
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }

  /** @param given a frame of the endpoint's, as JSON has it; what is no event is ignored */
  receive(given: unknown): void {
    if (this.closed) return;
    const event = fieldsOf(given);
    if (event['type'] === 'error') return this.refused(event['error']);
    const read = this.reader.read(event);
    if (read) this.onEvent(read);
  }

  /** The text of an error is not logged: it may quote what was sent. */
  private refused(error: unknown): void {
    const reason = errorCode(error);
    if (HARMLESS.has(reason)) return;
    const event = textOf(fieldsOf(error)['event_id']) ?? '';
    const isBusy = reason === BUSY;
    if (!isBusy) this.logger.warn(`The realtime model refused an event: ${reason}`);
    if (event.startsWith(RESPONSE_EVENT))
      this.onEvent({ kind: 'refused', response: event.slice(RESPONSE_EVENT.length), isBusy });
  }

  private send(event: RealtimeClientEvent): void {
    this.transmit(JSON.stringify(event));
  }

  private transmit(text: string): void {
    if (!this.closed && this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }
}

/** What an error of the endpoint's is called. */
export function errorCode(error: unknown): string {
  const { code, type } = fieldsOf(error);
  return (textOf(code) ?? textOf(type) ?? 'unknown').slice(0, MAX_CODE_CHARACTERS);
}
