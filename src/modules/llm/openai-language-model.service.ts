import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { ThoughtHabits } from './answer/held-text.js';
import { ModelAnswer } from './answer/model-answer.js';
import { framesOf } from './answer/response-frames.js';
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
  refusalOf,
  toChatMessages,
  toChatTool,
  toLanguageModelError,
  type Refusal,
} from './openai-messages.js';
import { ModelMetricsService, type ModelOutcome, ObservedAnswer } from './model-metrics.service.js';
import { IdleTimeout } from './idle-timeout.js';

/** Milliseconds for the first token, and for each next one: the customer is waiting. */
const TOKEN_LIMIT_MS = 10_000;
/** For what follows the end of an answer, such as its usage. */
const END_LIMIT_MS = 1_000;
const COMPLETION_LIMIT_MS = 60_000;

/** OpenAI-compatible chat completions endpoints. */
@Injectable()
export class OpenAiLanguageModelService extends LanguageModel implements OnApplicationShutdown {
  protected readonly tokenLimitMs: number = TOKEN_LIMIT_MS;
  protected readonly completionLimitMs: number = COMPLETION_LIMIT_MS;
  private readonly clients: OpenAiClients;
  private readonly habits = new ThoughtHabits();
  /** What models at their endpoints have refused. */
  private readonly refusals = new Map<string, ReadonlySet<Refusal>>();

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
    const observed = new ObservedAnswer(request.isFallback ? 'fallback' : 'turn', this.metrics);
    const answer = new ModelAnswer({
      model: request.model,
      tools: new Set(request.tools.map(({ name }) => name)),
      isSpoken: request.speech !== undefined,
      usedIds: callIds(request),
    });
    let outcome: ModelOutcome = 'aborted';
    try {
      idleTimeout.begin();
      const model = await this.models.chatModel(request.model);
      observed.asks(model);
      const held = this.habits.holdFor(keyOf(model), request.speech);
      try {
        for await (const frame of framesOf(await this.open(model, request, idleTimeout.signal))) {
          idleTimeout.pause();
          const deltas = answer.take(frame);
          if (answer.hasBegun) observed.begun();
          yield* held.pass(deltas, answer.isPlain);
          if (answer.isDone) break;
          idleTimeout.begin(answer.isComplete ? Math.min(END_LIMIT_MS, this.tokenLimitMs) : undefined);
        }
      } catch (error) {
        // What breaks after the end of an answer takes nothing from it.
        if (!answer.isComplete || signal.aborted) throw error;
      }
      if (signal.aborted) return;
      yield* held.end(answer.end());
      outcome = 'answered';
      const { usage } = answer;
      if (!usage) return;
      observed.used(usage);
      yield { kind: 'usage', model: request.model, ...usage };
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
        messages: toChatMessages(request.messages, { model: request.model }),
        ...toChatForm(request.form),
      };
      const options = { signal: idleTimeout.signal };
      const text = await answerText(
        await client.chat.completions.create(body, options).asResponse(),
        request,
      );
      outcome = 'answered';
      return text;
    } catch (error) {
      throw idleTimeout.expired ? tooSlow() : toLanguageModelError(error);
    } finally {
      idleTimeout.end();
      observed.ended(outcome);
    }
  }

  /** Asks again without what the endpoint refuses about the request, and remembers it. */
  private async open(model: ChatModel, request: StreamRequest, signal: AbortSignal): Promise<Response> {
    const client = await this.clients.clientOf(model.endpoint);
    for (;;) {
      const refused = this.refusals.get(keyOf(model)) ?? new Set();
      try {
        return await client.chat.completions
          .create(streamBody(model, request, refused), { signal })
          .asResponse();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === null || refused.has(refusal)) throw error;
        this.refusals.set(keyOf(model), new Set([...refused, refusal]));
      }
    }
  }
}

const keyOf = ({ endpoint, code }: ChatModel): string => JSON.stringify([endpoint, code]);

const callIds = ({ messages }: StreamRequest): Set<string> =>
  new Set(
    messages.flatMap((message) => ('toolCalls' in message ? message.toolCalls.map(({ id }) => id) : [])),
  );

function streamBody(
  model: ChatModel,
  request: StreamRequest,
  refused: ReadonlySet<Refusal>,
): ChatCompletionCreateParamsStreaming {
  const tools = request.tools.map(toChatTool);
  const told = { withoutThoughts: refused.has('thoughts'), inWords: refused.has('foreign-calls') };
  return {
    ...commonParameters(model, request.temperature),
    [model.outputLimitField]: request.maxOutputTokens,
    messages: toChatMessages(request.messages, { model: request.model, ...told }),
    stream: true,
    ...(refused.has('usage') ? {} : { stream_options: { include_usage: true } }),
    ...(tools.length > 0 ? { tools, tool_choice: request.mayCallTools ? 'auto' : 'none' } : {}),
  };
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

/** The text of an answer, or the arguments of the call that was asked for; a stream is read, too. */
async function answerText(response: Response, { model, form }: CompletionRequest): Promise<string> {
  const tools = new Set(form.kind === 'tool' ? [form.tool.name] : []);
  const answer = new ModelAnswer({ model, tools, isSpoken: false, usedIds: new Set() });
  let text = '';
  const add = (deltas: readonly ModelDelta[]): void => {
    for (const delta of deltas) {
      if (delta.kind === 'retract') text = '';
      else if (delta.kind === 'text') text += delta.text;
      else if (delta.kind === 'tool_call') text = delta.arguments;
    }
  };
  for await (const frame of framesOf(response)) add(answer.take(frame));
  add(answer.end());
  if (text.trim() === '') throw new LanguageModelError('The language model gave no answer', false);
  return text;
}

const tooSlow = (): LanguageModelError => new LanguageModelError('The language model is too slow', true);
