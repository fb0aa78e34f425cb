import { Logger } from '@nestjs/common';
import type { RealtimeAudioConfigInput, RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import type { ModelTool } from '../../llm/language-model.js';
import { pingOrTerminate } from '#src/modules/media/socket-ping.js';
import type {
  RealtimeConnection,
  RealtimeEvent,
  RealtimeItem,
  RealtimeRequest,
  TurnDetection,
} from '../realtime-model.js';
import {
  toJsonFields,
  RealtimeEventReader,
  toTextOrNull,
  toConversationItem,
  toResponse,
} from './realtime-messages.js';
import { toTool, toTranscription, toTurnDetection } from './session-settings.js';

/** A connection that breaks without a close is noticed after twice this time at most: the customer hears nothing. */
const PING_INTERVAL_MS = 2_000;
/** Maximum of unsent bytes: half a minute of telephone audio as base64. */
const MAX_BACKLOG_BYTES = 320_000;
/** The response had ended when its cancellation arrived, or the audio was committed when its commit arrived. */
const IGNORED_ERRORS = new Set(['response_cancel_not_active', 'input_audio_buffer_commit_empty']);
const ACTIVE_RESPONSE_ERROR = 'conversation_already_has_active_response';
const MAX_CODE_CHARACTERS = 100;
const RESPONSE_EVENT_PREFIX = 'respond.';

/** A session of the OpenAI Realtime interface (generally available form). */
export class OpenAiRealtimeConnection implements RealtimeConnection {
  private readonly logger = new Logger(OpenAiRealtimeConnection.name);
  private readonly reader = new RealtimeEventReader();
  private instructions = '';
  private tools = '';
  /** Responses to cancel that have not begun: their ids are unknown. */
  private readonly cancelled = new Set<string>();
  private closed = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly onEvent: (event: RealtimeEvent) => void,
    /** Null: the default. */
    private readonly transcriptionModel: string | null,
  ) {
    // After pending messages are read: a busy process does not take its own delay for that of the provider.
    const pings = setInterval(() => setImmediate(() => pingOrTerminate(socket)), PING_INTERVAL_MS).unref();
    socket.on('close', () => {
      clearInterval(pings);
      if (!this.closed) onEvent({ kind: 'closed' });
      this.closed = true;
    });
  }

  appendAudio(audio: Buffer): void {
    if (this.socket.bufferedAmount > MAX_BACKLOG_BYTES) return this.socket.terminate();
    // Not JSON.stringify, which checks each character: base64 has none to escape.
    this.sendText(`{"type":"input_audio_buffer.append","audio":"${audio.toString('base64')}"}`);
  }

  commitAudio(): void {
    this.send({ type: 'input_audio_buffer.commit' });
  }

  updateInstructions(instructions: string, tools: readonly ModelTool[]): void {
    const named = JSON.stringify(tools);
    if (instructions === this.instructions && named === this.tools) return;
    this.instructions = instructions;
    this.tools = named;
    this.send({
      type: 'session.update',
      session: { type: 'realtime', instructions, tools: tools.map(toTool) },
    });
  }

  setTranscriptionLanguage(language: string): void {
    this.updateInput({ transcription: toTranscription(language, this.transcriptionModel) });
  }

  setTurnDetection(detection: TurnDetection): void {
    this.updateInput({ turn_detection: toTurnDetection(detection) });
  }

  addItem(item: RealtimeItem, after?: string | null): void {
    const previous_item_id = after === null ? 'root' : after;
    this.send({
      type: 'conversation.item.create',
      item: toConversationItem(item),
      ...(previous_item_id !== undefined && { previous_item_id }),
    });
  }

  truncateItem(itemId: string, endMs: number): void {
    const audio_end_ms = Math.max(0, Math.floor(endMs));
    this.send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms });
  }

  deleteItem(itemId: string): void {
    this.send({ type: 'conversation.item.delete', item_id: itemId });
  }

  createResponse(request: RealtimeRequest): void {
    this.send({
      type: 'response.create',
      event_id: RESPONSE_EVENT_PREFIX + request.response,
      response: toResponse(request, this.instructions),
    });
  }

  cancelResponse(response: string): void {
    const response_id = this.reader.responseId(response);
    // Without an id it would cancel the response of the conversation, whichever that is.
    if (response_id === undefined) this.cancelled.add(response);
    else this.send({ type: 'response.cancel', response_id });
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }

  /** @param frame parsed JSON of the endpoint; anything but an event is ignored */
  handleFrame(frame: unknown): void {
    if (this.closed) return;
    const event = toJsonFields(frame);
    if (event['type'] === 'error') return this.handleError(event['error']);
    const read = this.reader.readEvent(event);
    if (event['type'] === 'response.created') this.cancelBegun();
    if (read) this.onEvent(read);
  }

  private cancelBegun(): void {
    for (const response of this.cancelled) {
      if (this.reader.responseId(response) === undefined) continue;
      this.cancelled.delete(response);
      this.cancelResponse(response);
    }
  }

  /** The text of an error is not logged: it may quote the request. */
  private handleError(error: unknown): void {
    const reason = realtimeErrorCode(error);
    if (IGNORED_ERRORS.has(reason)) return;
    const event = toTextOrNull(toJsonFields(error)['event_id']) ?? '';
    const isBusy = reason === ACTIVE_RESPONSE_ERROR;
    if (!isBusy) this.logger.warn(`The realtime model refused an event: ${reason}`);
    if (event.startsWith(RESPONSE_EVENT_PREFIX))
      this.onEvent({ kind: 'refused', response: event.slice(RESPONSE_EVENT_PREFIX.length), isBusy });
  }

  private updateInput(input: RealtimeAudioConfigInput): void {
    this.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
  }

  private send(event: RealtimeClientEvent): void {
    this.sendText(JSON.stringify(event));
  }

  private sendText(text: string): void {
    if (!this.closed && this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }
}

/** The code or type of an error of the endpoint. */
export function realtimeErrorCode(error: unknown): string {
  const { code, type } = toJsonFields(error);
  return (toTextOrNull(code) ?? toTextOrNull(type) ?? 'unknown').slice(0, MAX_CODE_CHARACTERS);
}
