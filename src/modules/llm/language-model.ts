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

/** Any endpoint that speaks the OpenAI chat completions interface. Read at the first request. */
export abstract class LanguageModelSettings {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  abstract readonly baseUrl: string;
  abstract readonly apiKey: string;
}

/** A call of a tool as the model wrote it; `arguments` is JSON text that nobody has checked yet. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
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
}

/** A piece of text as it comes; tool calls come complete, after the text. */
export type ModelDelta = { kind: 'text'; text: string } | ({ kind: 'tool_call' } & ModelToolCall);

/** How a whole answer is to be made JSON; not every model takes every form. */
export type AnswerForm =
  { kind: 'schema'; name: string; schema: JsonSchema } | { kind: 'tool'; tool: ModelTool } | { kind: 'json' };

/** Asked at temperature 0. */
export interface CompletionRequest {
  model: string;
  messages: readonly ModelMessage[];
  form: AnswerForm;
}

/** A chat model. Both methods throw `LanguageModelError` and nothing else. */
export abstract class LanguageModel {
  /** Ends early, without an error, when the signal aborts. */
  abstract stream(request: StreamRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** @returns the JSON text of the answer, which nobody has checked yet. */
  abstract complete(request: CompletionRequest, signal: AbortSignal): Promise<string>;
}
