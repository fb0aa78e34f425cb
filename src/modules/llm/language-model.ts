import type { ReasoningEffort } from '../catalog/catalog.types.js';

/** The message contains no prompt and no response, so it may be logged. */
export class LanguageModelError extends Error {
  constructor(
    message: string,
    /** Whether the same request may succeed when it is sent again. */
    readonly retryable: boolean,
    /** The provider's HTTP status; null without a response. */
    readonly status: number | null = null,
    options?: ErrorOptions,
    /** Milliseconds after which the provider takes the request again; null: it does not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message, options);
    this.name = 'LanguageModelError';
  }
}

/** The provider's filter stopped the whole response; another model may succeed. */
export class ContentFilterError extends LanguageModelError {
  constructor() {
    super("The provider's filter stopped the answer of the language model", false);
  }
}

/** Statuses after which the same request may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** @param status of HTTP */
export const isRetryable = (status: number): boolean => status >= 500 || RETRYABLE.has(status);

/** An endpoint with the OpenAI chat completions interface. */
export interface ModelEndpoint {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
}

export abstract class LanguageModelSettings implements ModelEndpoint {
  /** The default endpoint, of models without one of their own. */
  abstract readonly baseUrl: string;
  abstract readonly apiKey: string;
  /** Further endpoints by their names in the catalogue. */
  abstract readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
}

/** Request parameters of a model of the catalogue. */
export interface ChatModel {
  /** The `model` of a request. */
  code: string;
  /** Its name in the catalogue; absent for models outside of it. */
  catalogName?: string;
  /** Key in `LanguageModelSettings.endpoints`; null and unknown names: the default endpoint. */
  endpoint: string | null;
  /** Reasoning models reject every temperature but 1. */
  takesTemperature: boolean;
  outputLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Sent as `reasoning_effort`; null for models that do not reason. */
  reasoningEffort: ReasoningEffort | null;
}

export abstract class ChatModelCatalog {
  /** A name outside of the catalogue is sent unchanged. */
  abstract findChatModel(name: string): Promise<ChatModel>;
}

/** A tool call as the model wrote it; `arguments` is unvalidated JSON text. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
  provider?: ProviderFields;
}

/** Fields to return unchanged to the provider, e.g. signatures and reasoning; to the same model only. */
export interface ProviderFields {
  model: string;
  /** Fields of the call; fields of its `function` in an object of this name. */
  call?: Record<string, unknown>;
  /** Fields of the message with the call. */
  message?: Record<string, unknown>;
}

export type ModelMessage =
  | { role: 'system' | 'customer'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ModelToolCall[] }
  | { role: 'tool'; callId: string; text: string };

export type JsonSchema = Record<string, unknown>;

export interface ModelTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface StreamRequest {
  model: string;
  /** 0–1 */
  temperature: number;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** False: the tools are described, but the model has to respond in text. */
  mayCallTools: boolean;
  /** Maximum length of the response. */
  maxOutputTokens: number;
  /** Maximum pause of the server within the response, in milliseconds; absent: the usual timeout. */
  maxPauseMs?: number;
  /** The request replaces a late or failed one to the assistant's model. */
  isFallback?: boolean;
  /**
   * The response is spoken while it streams: JSON is left out, and possible reasoning is held back. `prompt`: the
   * assistant's, the same in all its conversations. Absent: the response is used when it is complete.
   */
  speech?: { prompt: string };
}

/** Tokens of one response; `cached` are the tokens of the prompt from the provider's cache. */
export interface ModelUsage {
  prompt: number;
  cached: number;
  completion: number;
}

/**
 * Text in pieces; complete tool calls after the text; usage last, if at all. `spoken`: the transcript of existing
 * speech, which must not be changed. `retract`: all text so far was reasoning. `stopped`: the response is incomplete,
 * because of its length or the provider's filter.
 */
export type ModelDelta =
  | { kind: 'text'; text: string; spoken?: true }
  | { kind: 'retract' }
  | { kind: 'stopped'; reason: 'length' | 'filter' }
  | ({ kind: 'tool_call' } & ModelToolCall)
  | ({ kind: 'usage'; model: string } & ModelUsage);

/** Ways to request a JSON response; not every model supports all of them. */
export type ResponseFormat =
  { kind: 'schema'; name: string; schema: JsonSchema } | { kind: 'tool'; tool: ModelTool } | { kind: 'json' };

/** Sent with temperature 0. */
export interface CompletionRequest {
  model: string;
  messages: readonly ModelMessage[];
  responseFormat: ResponseFormat;
}

/** The part of a language model that conversations use. */
export type StreamingModel = Pick<LanguageModel, 'stream'>;

/** A chat model. `stream` and `complete` throw `LanguageModelError` and nothing else. */
export abstract class LanguageModel {
  /**
   * Loads the client and opens the connection ahead of the first request; failures show in that request.
   *
   * @param model null: of the default endpoint
   */
  abstract warm(model: string | null): Promise<void>;
  /** Ends early, without an error, when the signal aborts. */
  abstract stream(request: StreamRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** @returns the unvalidated JSON text of the response. */
  abstract complete(request: CompletionRequest, signal: AbortSignal): Promise<string>;
}
