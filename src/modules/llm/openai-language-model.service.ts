import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { ReasoningRegistry } from './response/reasoning-buffer.js';
import { toOfferedTools } from './response/tool-names.js';
import { ModelResponse } from './response/model-response.js';
import { readFrames } from './response/response-frames.js';
import type { StreamFrame } from './response/stream-frames.js';
import {
  LanguageModel,
  ChatModelCatalog,
  type ResponseFormat,
  type ChatModel,
  type CompletionRequest,
  type ModelDelta,
  type StreamRequest,
  LanguageModelError,
  LanguageModelSettings,
} from './language-model.js';
import { OpenAiClients } from './openai-clients.js';
import {
  findRejectedFeature,
  readFailedGeneration,
  toChatMessages,
  toChatTool,
  toLanguageModelError,
  type RejectedFeature,
} from './openai-messages.js';
import {
  ModelMetricsService,
  type ModelRequestOutcome,
  ObservedModelRequest,
} from './model-metrics.service.js';
import { IdleTimeout } from './idle-timeout.js';

/** Milliseconds for the first token, and for each next one unless the request says less: the customer is waiting. */
const TOKEN_TIMEOUT_MS = 10_000;
/** For frames after the end of a response, such as its usage. */
const TRAILER_TIMEOUT_MS = 1_000;
const COMPLETION_TIMEOUT_MS = 60_000;

/** OpenAI-compatible chat completions endpoints. */
@Injectable()
export class OpenAiLanguageModelService extends LanguageModel implements OnApplicationShutdown {
  protected readonly tokenTimeoutMs: number = TOKEN_TIMEOUT_MS;
  protected readonly completionTimeoutMs: number = COMPLETION_TIMEOUT_MS;
  private readonly clients: OpenAiClients;
  private readonly reasoning = new ReasoningRegistry();
  /** Features of requests that models at their endpoints rejected. */
  private readonly rejectedFeatures = new Map<string, ReadonlySet<RejectedFeature>>();

  constructor(
    settings: LanguageModelSettings,
    private readonly models: ChatModelCatalog,
    @Optional() private readonly metrics?: ModelMetricsService,
  ) {
    super();
    this.clients = new OpenAiClients(settings);
  }

  onApplicationShutdown(): Promise<void> {
    return this.clients.close();
  }

  override async warm(model: string | null): Promise<void> {
    await this.clients.warm(model === null ? null : (await this.models.findChatModel(model)).endpoint);
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const idleTimeout = new IdleTimeout(this.tokenTimeoutMs, signal);
    const observed = new ObservedModelRequest(request.isFallback ? 'fallback' : 'turn', this.metrics);
    const response = new ModelResponse({
      model: request.model,
      tools: toOfferedTools(request.tools),
      isSpoken: request.speech !== undefined,
      usedIds: usedCallIds(request),
    });
    let outcome: ModelRequestOutcome = 'aborted';
    try {
      idleTimeout.start();
      const model = await this.models.findChatModel(request.model);
      observed.setModel(model);
      const { baseURL } = await this.clients.clientFor(model.endpoint);
      const buffer = this.reasoning.createBuffer(modelKey(model), request, baseURL);
      try {
        for await (const frame of this.framesOf(model, request, idleTimeout.signal)) {
          idleTimeout.pause();
          const deltas = response.readFrame(frame);
          if (response.hasStarted) observed.recordFirstToken();
          yield* buffer.filterDeltas(deltas, response.isReasoningMarked);
          if (response.isDone) break;
          idleTimeout.start(this.frameTimeoutMs(response, request));
        }
      } catch (error) {
        // A failure after the end of a response does not concern it.
        if (!response.isComplete || signal.aborted) throw error;
      }
      if (signal.aborted) return;
      yield* buffer.flush(response.end());
      outcome = 'answered';
      const { usage } = response;
      if (!usage) return;
      observed.recordUsage(usage);
      yield { kind: 'usage', model: request.model, ...usage };
    } catch (error) {
      if (signal.aborted) return;
      outcome = 'failed';
      throw idleTimeout.expired ? timeoutError() : toLanguageModelError(error);
    } finally {
      idleTimeout.stop();
      observed.recordEnd(outcome);
    }
  }

  override async complete(request: CompletionRequest, signal: AbortSignal): Promise<string> {
    const idleTimeout = new IdleTimeout(this.completionTimeoutMs, signal);
    const observed = new ObservedModelRequest('evaluation', this.metrics);
    let outcome: ModelRequestOutcome = 'failed';
    try {
      idleTimeout.start();
      const model = await this.models.findChatModel(request.model);
      observed.setModel(model);
      const client = await this.clients.clientFor(model.endpoint);
      const body: ChatCompletionCreateParamsNonStreaming = {
        ...commonParameters(model, 0),
        messages: toChatMessages(request.messages, { model: request.model }),
        ...toResponseFormat(request.responseFormat),
      };
      const options = { signal: idleTimeout.signal };
      const text = await readCompletion(
        await client.chat.completions.create(body, options).asResponse(),
        request,
      );
      outcome = 'answered';
      return text;
    } catch (error) {
      throw idleTimeout.expired ? timeoutError() : toLanguageModelError(error);
    } finally {
      idleTimeout.stop();
      observed.recordEnd(outcome);
    }
  }

  /** For the next frame of a response. */
  private frameTimeoutMs(
    { isComplete, hasStarted }: ModelResponse,
    { maxPauseMs = Infinity }: StreamRequest,
  ): number {
    const limitMs = isComplete ? TRAILER_TIMEOUT_MS : hasStarted ? maxPauseMs : Infinity;
    return Math.min(limitMs, this.tokenTimeoutMs);
  }

  /** Of a refused request, the error is the only frame where it has the text of the response. */
  private async *framesOf(
    model: ChatModel,
    request: StreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<StreamFrame> {
    let response: Response;
    try {
      response = await this.openStream(model, request, signal);
    } catch (error) {
      const frame = readFailedGeneration(error);
      if (frame === null) throw error;
      return yield frame;
    }
    yield* readFrames(response);
  }

  /** Retries without a feature that the endpoint rejects, and remembers it. */
  private async openStream(model: ChatModel, request: StreamRequest, signal: AbortSignal): Promise<Response> {
    const client = await this.clients.clientFor(model.endpoint);
    for (;;) {
      const rejected = this.rejectedFeatures.get(modelKey(model)) ?? new Set();
      try {
        return await client.chat.completions
          .create(streamBody(model, request, rejected), { signal })
          .asResponse();
      } catch (error) {
        const feature = findRejectedFeature(error);
        if (feature === null || rejected.has(feature)) throw error;
        this.rejectedFeatures.set(modelKey(model), new Set([...rejected, feature]));
      }
    }
  }
}

const modelKey = ({ endpoint, code }: ChatModel): string => JSON.stringify([endpoint, code]);

const usedCallIds = ({ messages }: StreamRequest): Set<string> =>
  new Set(
    messages.flatMap((message) => ('toolCalls' in message ? message.toolCalls.map(({ id }) => id) : [])),
  );

function streamBody(
  model: ChatModel,
  request: StreamRequest,
  rejected: ReadonlySet<RejectedFeature>,
): ChatCompletionCreateParamsStreaming {
  const tools = request.tools.map(toChatTool);
  const historyOptions = {
    withoutReasoning: rejected.has('thoughts'),
    callsAsText: rejected.has('foreign-calls'),
  };
  return {
    ...commonParameters(model, request.temperature),
    [model.outputLimitField]: request.maxOutputTokens,
    messages: toChatMessages(request.messages, { model: request.model, ...historyOptions }),
    stream: true,
    ...(rejected.has('usage') ? {} : { stream_options: { include_usage: true } }),
    ...(tools.length > 0 ? { tools, tool_choice: request.mayCallTools ? 'auto' : 'none' } : {}),
  };
}

const commonParameters = (model: ChatModel, temperature: number) => ({
  model: model.code,
  ...(model.takesTemperature ? { temperature } : {}),
  ...(model.reasoningEffort ? { reasoning_effort: model.reasoningEffort } : {}),
});

function toResponseFormat(format: ResponseFormat): Partial<ChatCompletionCreateParamsNonStreaming> {
  if (format.kind === 'json') return { response_format: { type: 'json_object' } };
  if (format.kind === 'schema') {
    const { name, schema } = format;
    return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
  }
  return {
    tools: [toChatTool(format.tool)],
    tool_choice: { type: 'function', function: { name: format.tool.name } },
  };
}

/** The text of a response, or the arguments of the requested tool call; also from a stream. */
async function readCompletion(
  response: Response,
  { model, responseFormat }: CompletionRequest,
): Promise<string> {
  const tools = toOfferedTools(responseFormat.kind === 'tool' ? [responseFormat.tool] : []);
  const reader = new ModelResponse({ model, tools, isSpoken: false, usedIds: new Set() });
  let text = '';
  const add = (deltas: readonly ModelDelta[]): void => {
    for (const delta of deltas) {
      if (delta.kind === 'retract') text = '';
      else if (delta.kind === 'text') text += delta.text;
      else if (delta.kind === 'tool_call') text = delta.arguments;
    }
  };
  for await (const frame of readFrames(response)) add(reader.readFrame(frame));
  add(reader.end());
  if (text.trim() === '') throw new LanguageModelError('The language model gave no answer', false);
  return text;
}

const timeoutError = (): LanguageModelError => new LanguageModelError('The language model is too slow', true);
