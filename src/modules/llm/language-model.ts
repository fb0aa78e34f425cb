import type { ReasoningEffort } from '../catalog/catalog.types.js';

/** The message names no prompt and no answer, so it may be logged. */
export class LanguageModelError extends Error {
  constructor(
    message: string,
    /** Whether the same request may succeed when it is sent again. */
    readonly retryable: boolean,
    /** The provider's HTTP status; null when there was no answer. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LanguageModelError';
  }
}

/** The provider's filter lets nothing of the answer through; another model may answer. */
export class FilteredAnswerError extends LanguageModelError {
  constructor() {
    super("The provider's filter stopped the answer of the language model", false);
  }
}

/** Statuses after which the same request may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** @param status of HTTP */
export const isRetryable = (status: number): boolean => status >= 500 || RETRYABLE.has(status);

/** An endpoint that speaks the OpenAI chat completions interface. */
export interface ModelEndpoint {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey: string;
}

export abstract class LanguageModelSettings implements ModelEndpoint {
  /** The endpoint of every model whose own endpoint is not set. */
  abstract readonly baseUrl: string;
  abstract readonly apiKey: string;
  /** Further endpoints by the name that a model of the catalogue gives. */
  abstract readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
}

/** How a model of the catalogue is asked. */
export interface ChatModel {
  /** The `model` of a request. */
  code: string;
  /** Its name in the catalogue; absent for a name that the catalogue does not have. */
  catalogName?: string;
  /** Key in `LanguageModelSettings.endpoints`; null and unknown names: the default endpoint. */
  endpoint: string | null;
  /** Reasoning models refuse every temperature but 1. */
  takesTemperature: boolean;
  outputLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Sent as `reasoning_effort`; null for models that do not reason. */
  reasoningEffort: ReasoningEffort | null;
}

export abstract class ChatModels {
  /** A name that the catalogue does not have is sent as it is. */
  abstract chatModel(name: string): Promise<ChatModel>;
}

/** A call of a tool as the model wrote it; `arguments` is JSON text that nobody has checked yet. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
  provider?: ProviderFields;
}

/** What a provider wants back as it sent it, e.g. signatures and reasoning. It goes back to the same model only. */
export interface ProviderFields {
  model: string;
  /** Fields of the call; those of `function` in an object of this name. */
  call?: Record<string, unknown>;
  /** Fields of the message that called. */
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
  /** False: the tools are known, but the model has to speak now. */
  mayCallTools: boolean;
  /** The answer ends there. */
  maxOutputTokens: number;
  /** The assistant's model is late or has failed. */
  isFallback?: boolean;
  /**
   * The answer is spoken while it comes: JSON is none, and what may be a thought waits. `isFirst`: the model has
   * answered nothing in the conversation before; `prompt`: the assistant's, the same in all its conversations. Absent:
   * the answer is read when it is whole.
   */
  speech?: { isFirst: boolean; prompt: string };
}

/** Tokens of one answer; `cached` are those of the prompt that the provider had already. */
export interface ModelUsage {
  prompt: number;
  cached: number;
  completion: number;
}

/**
 * A piece of text as it comes; tool calls come complete, after the text; usage comes last, if at all. `spoken`: these
 * are the words of speech that exists already, so they stay as they are. `retract`: all text until now was a thought.
 * `stopped`: the answer ends before it is complete, because it is too long or the provider's filter has stopped it.
 */
export type ModelDelta =
  | { kind: 'text'; text: string; spoken?: true }
  | { kind: 'retract' }
  | { kind: 'stopped'; reason: 'length' | 'filter' }
  | ({ kind: 'tool_call' } & ModelToolCall)
  | ({ kind: 'usage'; model: string } & ModelUsage);

/** How a whole answer is to be made JSON; not every model takes every form. */
export type AnswerForm =
  { kind: 'schema'; name: string; schema: JsonSchema } | { kind: 'tool'; tool: ModelTool } | { kind: 'json' };

/** Asked at temperature 0. */
export interface CompletionRequest {
  model: string;
  messages: readonly ModelMessage[];
  form: AnswerForm;
}

/** All that a conversation asks of a model. */
export type AnsweringModel = Pick<LanguageModel, 'stream'>;

/** A chat model. `stream` and `complete` throw `LanguageModelError` and nothing else. */
export abstract class LanguageModel {
  /**
   * Loads the client and opens the connection ahead of the first request; failures are left to that request.
   *
   * @param model null: that of the default endpoint
   */
  abstract warm(model: string | null): Promise<void>;
  /** Ends early, without an error, when the signal aborts. */
  abstract stream(request: StreamRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** @returns the JSON text of the answer, which nobody has checked yet. */
  abstract complete(request: CompletionRequest, signal: AbortSignal): Promise<string>;
}
