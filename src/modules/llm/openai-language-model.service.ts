import { Injectable } from '@nestjs/common';
import type { OpenAI } from 'openai';
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import {
  LanguageModel,
  type AnswerForm,
  type CompletionRequest,
  type ModelDelta,
  type StreamRequest,
  LanguageModelError,
  LanguageModelSettings,
} from './language-model.js';
import { toLanguageModelError, toChatMessage, toChatTool, OpenAiToolCalls } from './openai-messages.js';
import { IdleTimeout } from './idle-timeout.js';

/** Milliseconds for the first token, and for each next one: the customer is waiting. */
const TOKEN_LIMIT_MS = 10_000;
const COMPLETION_LIMIT_MS = 60_000;

/** Any OpenAI-compatible chat completions endpoint. */
@Injectable()
export class OpenAiLanguageModelService extends LanguageModel {
  protected readonly tokenLimitMs: number = TOKEN_LIMIT_MS;
  protected readonly completionLimitMs: number = COMPLETION_LIMIT_MS;
  private loading: Promise<OpenAI> | null = null;

  constructor(private readonly settings: LanguageModelSettings) {
    super();
  }

  override async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const idleTimeout = new IdleTimeout(this.tokenLimitMs, signal);
    const calls = new OpenAiToolCalls();
    try {
      idleTimeout.begin();
      for await (const { choices } of await this.chunks(request, idleTimeout.signal)) {
        idleTimeout.pause();
        const delta = choices[0]?.delta;
        if (delta?.content) yield { kind: 'text', text: delta.content };
        calls.add(delta?.tool_calls);
        idleTimeout.begin();
      }
      // The client ends an aborted stream as if it were complete.
      if (idleTimeout.expired) throw tooSlow();
      if (signal.aborted) return;
      for (const call of calls.complete()) yield { kind: 'tool_call', ...call };
    } catch (error) {
      if (signal.aborted) return;
      throw idleTimeout.expired ? tooSlow() : toLanguageModelError(error);
    } finally {
      idleTimeout.end();
    }
  }

  override async complete(request: CompletionRequest, signal: AbortSignal): Promise<string> {
    const idleTimeout = new IdleTimeout(this.completionLimitMs, signal);
    try {
      idleTimeout.begin();
      const client = await this.client();
      const body: ChatCompletionCreateParamsNonStreaming = {
        model: request.model,
        temperature: 0,
        messages: request.messages.map(toChatMessage),
        ...toChatForm(request.form),
      };
      return answerText(await client.chat.completions.create(body, { signal: idleTimeout.signal }));
    } catch (error) {
      throw idleTimeout.expired ? tooSlow() : toLanguageModelError(error);
    } finally {
      idleTimeout.end();
    }
  }

  private async chunks(request: StreamRequest, signal: AbortSignal) {
    const client = await this.client();
    const tools = request.tools.map(toChatTool);
    return client.chat.completions.create(
      {
        model: request.model,
        temperature: request.temperature,
        messages: request.messages.map(toChatMessage),
        stream: true,
        ...(tools.length > 0 ? { tools, tool_choice: request.mayCallTools ? 'auto' : 'none' } : {}),
      },
      { signal },
    );
  }

  /** Loaded with the first request; never reads the environment, never logs a request. */
  private client(): Promise<OpenAI> {
    return (this.loading ??= import('openai').then(
      ({ OpenAI: Client }) =>
        new Client({
          baseURL: this.settings.baseUrl,
          apiKey: this.settings.apiKey,
          organization: null,
          project: null,
          maxRetries: 0,
          logLevel: 'off',
        }),
    ));
  }
}

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
