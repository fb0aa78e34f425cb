import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import {
  LanguageModel,
  ChatModels,
  type AnswerForm,
  type ChatModel,
  type CompletionRequest,
  type ModelDelta,
  type StreamRequest,
  LanguageModelError,
  LanguageModelSettings,
} from './language-model.js';
import { OpenAiClients } from './openai-clients.js';
import {
  OpenAiToolCalls,
  ReasoningFilter,
  refusesStreamOptions,
  toChatMessages,
  toChatTool,
  toLanguageModelError,
  toModelUsage,
} from './openai-messages.js';
import { ModelMetricsService, type ModelOutcome, ObservedAnswer } from './model-metrics.service.js';
import { IdleTimeout } from './idle-timeout.js';

/** Milliseconds for the first token, and for each next one: the customer is waiting. */
const TOKEN_LIMIT_MS = 10_000;
const COMPLETION_LIMIT_MS = 60_000;

/** OpenAI-compatible chat completions endpoints. */
@Injectable()
export class OpenAiLanguageModelService extends LanguageModel implements OnApplicationShutdown {
  protected readonly tokenLimitMs: number = TOKEN_LIMIT_MS;
  protected readonly completionLimitMs: number = COMPLETION_LIMIT_MS;
  private readonly clients: OpenAiClients;
  /** Endpoints that refused `stream_options`. */
  private readonly withoutUsage = new Set<string | null>();

  constructor(
    settings: LanguageModelSettings,
    private readonly models: ChatModels,
    @Optional() private readonly metrics?: ModelMetricsService,
  ) {
    super();
    this.clients = new OpenAiClients(settings);
  }

  onApplicationShutdown(): Promise<void> {
    return this.clients.close();
  }

  override async warm(model: string | null): Promise<void> {
    await this.clients.warm(model === null ? null : (await this.models.chatModel(model)).endpoint);
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const idleTimeout = new IdleTimeout(this.tokenLimitMs, signal);
    const calls = new OpenAiToolCalls();
    const spoken = new ReasoningFilter();
    const observed = new ObservedAnswer(request.isFallback ? 'fallback' : 'turn', this.metrics);
    let outcome: ModelOutcome = 'aborted';
    try {
      idleTimeout.begin();
      const model = await this.models.chatModel(request.model);
      observed.asks(model);
      let usage: CompletionUsage | null | undefined;
      for await (const chunk of await this.chunks(model, request, idleTimeout.signal)) {
        idleTimeout.pause();
        usage = chunk.usage ?? usage;
        const delta = chunk.choices[0]?.delta;
        if (delta?.content || delta?.tool_calls) observed.begun();
        const text = spoken.push(delta?.content ?? '');
        if (text) yield { kind: 'text', text };
        calls.add(delta?.tool_calls);
        idleTimeout.begin();
      }
      // The client ends an aborted stream as if it were complete.
      if (idleTimeout.expired) throw tooSlow();
      if (signal.aborted) return;
      const rest = spoken.end();
      if (rest) yield { kind: 'text', text: rest };
      for (const call of calls.complete()) yield { kind: 'tool_call', ...call };
      outcome = 'answered';
      if (!usage) return;
      const tokens = toModelUsage(usage);
      observed.used(tokens);
      yield { kind: 'usage', model: request.model, ...tokens };
    } catch (error) {
      if (signal.aborted) return;
      outcome = 'failed';
      throw idleTimeout.expired ? tooSlow() : toLanguageModelError(error);
    } finally {
      idleTimeout.end();
      observed.ended(outcome);
    }
  }

  override async complete(request: CompletionRequest, signal: AbortSignal): Promise<string> {
    const idleTimeout = new IdleTimeout(this.completionLimitMs, signal);
    const observed = new ObservedAnswer('evaluation', this.metrics);
    let outcome: ModelOutcome = 'failed';
    try {
      idleTimeout.begin();
      const model = await this.models.chatModel(request.model);
      observed.asks(model);
      const client = await this.clients.clientOf(model.endpoint);
      const body: ChatCompletionCreateParamsNonStreaming = {
        ...commonParameters(model, 0),
        messages: toChatMessages(request.messages),
        ...toChatForm(request.form),
      };
      const text = answerText(await client.chat.completions.create(body, { signal: idleTimeout.signal }));
      outcome = 'answered';
      return text;
    } catch (error) {
      throw idleTimeout.expired ? tooSlow() : toLanguageModelError(error);
    } finally {
      idleTimeout.end();
      observed.ended(outcome);
    }
  }

  private async chunks(model: ChatModel, request: StreamRequest, signal: AbortSignal) {
    const client = await this.clients.clientOf(model.endpoint);
    const tools = request.tools.map(toChatTool);
    const body: ChatCompletionCreateParamsStreaming = {
      ...commonParameters(model, request.temperature),
      [model.outputLimitField]: request.maxOutputTokens,
      messages: toChatMessages(request.messages),
      stream: true,
      ...(tools.length > 0 ? { tools, tool_choice: request.mayCallTools ? 'auto' : 'none' } : {}),
    };
    if (this.withoutUsage.has(model.endpoint)) return client.chat.completions.create(body, { signal });
    try {
      return await client.chat.completions.create(
        { ...body, stream_options: { include_usage: true } },
        { signal },
      );
    } catch (error) {
      if (!refusesStreamOptions(error)) throw error;
      this.withoutUsage.add(model.endpoint);
      return client.chat.completions.create(body, { signal });
    }
  }
}

const commonParameters = (model: ChatModel, temperature: number) => ({
  model: model.code,
  ...(model.takesTemperature ? { temperature } : {}),
  ...(model.reasoningEffort ? { reasoning_effort: model.reasoningEffort } : {}),
});

function toChatForm(form: AnswerForm): Partial<ChatCompletionCreateParamsNonStreaming> {
  if (form.kind === 'json') return { response_format: { type: 'json_object' } };
  if (form.kind === 'schema') {
    const { name, schema } = form;
    return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
  }
  return {
    tools: [toChatTool(form.tool)],
    tool_choice: { type: 'function', function: { name: form.tool.name } },
  };
}

function answerText({ choices }: ChatCompletion): string {
  const message = choices[0]?.message;
  const [call] = message?.tool_calls ?? [];
  const text = call?.type === 'function' ? call.function.arguments : message?.content;
  if (!text) throw new LanguageModelError('The language model gave no answer', false);
  return text;
}

const tooSlow = (): LanguageModelError => new LanguageModelError('The language model is too slow', true);
