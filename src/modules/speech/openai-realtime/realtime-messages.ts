import type {
  ConversationItem,
  RealtimeResponseCreateParams,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime';
import type { ModelUsage } from '../../llm/language-model.js';
import type { RealtimeEvent, RealtimeItem, RealtimeRequest } from '../realtime-model.js';

/** The key of a response's metadata that holds the name under which we asked for it. */
const NAME = 'name';
/** Begun and not ended; a session has two or three at a time. */
const MAX_RESPONSES = 100;
const ENDS = ['completed', 'cancelled', 'incomplete', 'failed'] as const;

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

/** @param instructions of the session, which those of a response replace */
export function toResponse(request: RealtimeRequest, instructions: string): RealtimeResponseCreateParams {
  const metadata = { [NAME]: request.response };
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

/** Reads the events of a session; responses are named as they were asked for. What is of another form is no event. */
export class RealtimeEventReader {
  private readonly names = new Map<string, string>();

  /** The provider's id of a response that has begun and not ended. */
  idOf(response: string): string | undefined {
    return [...this.names].find(([, name]) => name === response)?.[0];
  }

  /** @returns null for events that say nothing to a conversation */
  read(event: Fields): RealtimeEvent | null {
    switch (event['type'] as RealtimeServerEvent['type']) {
      case 'input_audio_buffer.speech_started':
        return ofItem(event, (itemId) => ({ kind: 'speech', itemId, on: true }));
      case 'input_audio_buffer.speech_stopped':
        return ofItem(event, (itemId) => ({ kind: 'speech', itemId, on: false }));
      case 'conversation.item.input_audio_transcription.delta':
        return ofItem(event, (itemId) => ({ kind: 'words', itemId, text: textOf(event['delta']) ?? '' }));
      case 'conversation.item.input_audio_transcription.completed':
        return ofItem(event, (itemId) => ({ kind: 'heard', itemId, text: textOf(event['transcript']) }));
      case 'conversation.item.input_audio_transcription.failed':
        return ofItem(event, (itemId) => ({ kind: 'heard', itemId, text: null }));
      case 'response.created':
        return this.begin(fieldsOf(event['response']));
      case 'response.done':
        return this.end(fieldsOf(event['response']));
      case 'response.output_audio.delta':
        return this.output(event, (base, delta) => ({
          ...base,
          kind: 'audio',
          audio: Buffer.from(delta, 'base64'),
        }));
      case 'response.output_audio_transcript.delta':
      // Of a model that answers in text although it was asked for audio: the words without a voice are a failure.
      case 'response.output_text.delta':
        return this.output(event, (base, text) => ({ ...base, kind: 'transcript', text }));
      case 'response.output_item.done':
        return this.item(event);
      default:
        return null;
    }
  }

  private output(
    event: Fields,
    make: (base: { response: string; itemId: string }, delta: string) => RealtimeEvent,
  ): RealtimeEvent | null {
    const response = this.nameOf(event['response_id']);
    const [itemId, delta] = [textOf(event['item_id']), textOf(event['delta'])];
    return response && itemId && delta ? make({ response, itemId }, delta) : null;
  }

  private item({ response_id, item }: Fields): RealtimeEvent | null {
    const response = this.nameOf(response_id);
    const { type, status, ...given } = fieldsOf(item);
    // A call that a cancelled response has not completed is run by nobody.
    if (response === undefined || type !== 'function_call' || status === 'incomplete') return null;
    const [id, name, args] = [textOf(given['call_id']), textOf(given['name']), textOf(given['arguments'])];
    const itemId = textOf(given['id']);
    if (!id || !name || args === null || !itemId) return null;
    return { kind: 'call', response, itemId, call: { id, name, arguments: args } };
  }

  private begin({ id, metadata }: Fields): null {
    const name = textOf(fieldsOf(metadata)[NAME]);
    if (typeof id !== 'string' || !name) return null;
    this.names.set(id, name);
    const [oldest = id] = this.names.keys();
    if (this.names.size > MAX_RESPONSES) this.names.delete(oldest);
    return null;
  }

  private end({ id, status, usage }: Fields): RealtimeEvent | null {
    const response = this.nameOf(id);
    if (response === undefined) return null;
    this.names.delete(String(id));
    const ended = ENDS.find((end) => end === status) ?? 'failed';
    return { kind: 'done', response, status: ended, usage: usage ? toUsage(fieldsOf(usage)) : null };
  }

  private nameOf(id: unknown): string | undefined {
    return typeof id === 'string' ? this.names.get(id) : undefined;
  }
}

/** What an endpoint sends is not known to be of the form that its documentation says. */
export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function ofItem(event: Fields, make: (itemId: string) => RealtimeEvent): RealtimeEvent | null {
  const itemId = textOf(event['item_id']);
  return itemId ? make(itemId) : null;
}

const toUsage = ({ input_tokens, output_tokens, input_token_details: details }: Fields): ModelUsage => ({
  prompt: countOf(input_tokens),
  cached: countOf(fieldsOf(details)['cached_tokens']),
  completion: countOf(output_tokens),
});

const countOf = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
