import type {
  ConversationItem,
  RealtimeResponseCreateParams,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime';
import type { ModelUsage } from '../../llm/language-model.js';
import type { RealtimeEvent, RealtimeItem, RealtimeRequest } from '../realtime-model.js';

/** Key of a response's metadata with the name from its request. */
const NAME_KEY = 'name';
/** Maximum of open responses; a session has two or three at a time. */
const MAX_RESPONSES = 100;
const RESPONSE_STATUSES = ['completed', 'cancelled', 'incomplete', 'failed'] as const;

export function toConversationItem(item: RealtimeItem): ConversationItem {
  const { id } = item;
  switch (item.kind) {
    case 'call': {
      const { id: call_id, name, arguments: args } = item.call;
      return { id, type: 'function_call', call_id, name, arguments: args };
    }
    case 'output':
      return { id, type: 'function_call_output', call_id: item.callId, output: item.text };
    case 'said':
      return item.by === 'customer'
        ? { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: item.text }] }
        : { id, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.text }] };
  }
}

/** @param instructions of the session: the instructions of a response replace them */
export function toResponse(request: RealtimeRequest, instructions: string): RealtimeResponseCreateParams {
  const metadata = { [NAME_KEY]: request.response };
  if (request.kind === 'sentence') {
    return {
      conversation: 'none',
      instructions: `Say exactly the following words, and nothing else: "${request.text}"`,
      input: [],
      tools: [],
      metadata,
    };
  }
  const { instruction, mayCallTools } = request;
  return {
    metadata,
    tool_choice: mayCallTools ? 'auto' : 'none',
    ...(instruction && { instructions: `${instructions}\n\n${instruction}` }),
  };
}

/** Parses the events of a session, with the names from the requests of responses. Other messages are ignored. */
export class RealtimeEventReader {
  private readonly nameById = new Map<string, string>();

  /** The provider's id of an open response. */
  responseId(response: string): string | undefined {
    return [...this.nameById].find(([, name]) => name === response)?.[0];
  }

  /** @returns null for events without meaning for a conversation */
  readEvent(event: JsonFields): RealtimeEvent | null {
    switch (event['type'] as RealtimeServerEvent['type']) {
      case 'input_audio_buffer.speech_started':
        return eventOfItem(event, (itemId) => ({ kind: 'speech', itemId, on: true }));
      case 'input_audio_buffer.speech_stopped':
        return eventOfItem(event, (itemId) => ({ kind: 'speech', itemId, on: false }));
      case 'input_audio_buffer.committed':
        return eventOfItem(event, (itemId) => ({ kind: 'committed', itemId }));
      case 'conversation.item.input_audio_transcription.delta':
        return eventOfItem(event, (itemId) => ({
          kind: 'words',
          itemId,
          text: toTextOrNull(event['delta']) ?? '',
        }));
      case 'conversation.item.input_audio_transcription.completed':
        return eventOfItem(event, (itemId) => ({
          kind: 'heard',
          itemId,
          text: toTextOrNull(event['transcript']),
        }));
      case 'conversation.item.input_audio_transcription.failed':
        return eventOfItem(event, (itemId) => ({ kind: 'heard', itemId, text: null }));
      case 'response.created':
        return this.registerResponse(toJsonFields(event['response']));
      case 'response.done':
        return this.readResponseEnd(toJsonFields(event['response']));
      case 'response.output_audio.delta':
        return this.readDelta(event, (base, delta) => ({
          ...base,
          kind: 'audio',
          audio: Buffer.from(delta, 'base64'),
        }));
      case 'response.output_audio_transcript.delta':
      // From a model that responds in text instead of audio, which counts as a failure.
      case 'response.output_text.delta':
        return this.readDelta(event, (base, text) => ({ ...base, kind: 'transcript', text }));
      case 'response.output_item.added':
      case 'response.function_call_arguments.delta':
        return this.readProgress(event);
      case 'response.output_item.done':
        return this.readItem(event);
      default:
        return null;
    }
  }

  private readDelta(
    event: JsonFields,
    make: (base: { response: string; itemId: string }, delta: string) => RealtimeEvent,
  ): RealtimeEvent | null {
    const response = this.nameOf(event['response_id']);
    const [itemId, delta] = [toTextOrNull(event['item_id']), toTextOrNull(event['delta'])];
    return response && itemId && delta ? make({ response, itemId }, delta) : null;
  }

  private readProgress({ response_id }: JsonFields): RealtimeEvent | null {
    const response = this.nameOf(response_id);
    return response === undefined ? null : { kind: 'progress', response };
  }

  private readItem(event: JsonFields): RealtimeEvent | null {
    const response = this.nameOf(event['response_id']);
    const { type, status, ...fields } = toJsonFields(event['item']);
    if (response === undefined || type !== 'function_call') return this.readProgress(event);
    // Incomplete calls of a cancelled response are not run.
    if (status === 'incomplete') return null;
    const [id, name, args] = [
      toTextOrNull(fields['call_id']),
      toTextOrNull(fields['name']),
      toTextOrNull(fields['arguments']),
    ];
    const itemId = toTextOrNull(fields['id']);
    if (!id || !name || args === null || !itemId) return null;
    return { kind: 'call', response, itemId, call: { id, name, arguments: args } };
  }

  private registerResponse({ id, metadata }: JsonFields): null {
    const name = toTextOrNull(toJsonFields(metadata)[NAME_KEY]);
    if (typeof id !== 'string' || !name) return null;
    this.nameById.set(id, name);
    const [oldest = id] = this.nameById.keys();
    if (this.nameById.size > MAX_RESPONSES) this.nameById.delete(oldest);
    return null;
  }

  private readResponseEnd({ id, status, status_details, usage }: JsonFields): RealtimeEvent | null {
    const response = this.nameOf(id);
    if (response === undefined) return null;
    this.nameById.delete(String(id));
    const known = RESPONSE_STATUSES.find((end) => end === status) ?? 'failed';
    const retryAfterMs = toRetryAfter(toJsonFields(toJsonFields(status_details)['error']));
    return {
      kind: 'done',
      response,
      status: known,
      usage: usage ? toUsage(toJsonFields(usage)) : null,
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  }

  private nameOf(id: unknown): string | undefined {
    return typeof id === 'string' ? this.nameById.get(id) : undefined;
  }
}

/** Unvalidated JSON of an endpoint. */
export type JsonFields = Record<string, unknown>;

export const toJsonFields = (value: unknown): JsonFields =>
  typeof value === 'object' && value !== null ? (value as JsonFields) : {};

export const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function eventOfItem(event: JsonFields, make: (itemId: string) => RealtimeEvent): RealtimeEvent | null {
  const itemId = toTextOrNull(event['item_id']);
  return itemId ? make(itemId) : null;
}

/** "Please try again in 1m2.5s." or "in 20ms.": sessions have no header for it. */
const TRY_AGAIN = /\btry again in (?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,6})?)(m?s))?/i;

function toRetryAfter({ code, message }: JsonFields): number | null {
  if (code !== 'rate_limit_exceeded') return null;
  const [, minutes = 0, count = 0, unit] = TRY_AGAIN.exec(toTextOrNull(message) ?? '') ?? [];
  const ms = Number(minutes) * 60_000 + Number(count) * (unit?.toLowerCase() === 'ms' ? 1 : 1_000);
  return ms > 0 ? Math.ceil(ms) : null;
}

const toUsage = ({ input_tokens, output_tokens, input_token_details: details }: JsonFields): ModelUsage => ({
  prompt: toCount(input_tokens),
  cached: toCount(toJsonFields(details)['cached_tokens']),
  completion: toCount(output_tokens),
});

const toCount = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
