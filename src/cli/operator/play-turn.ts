import {
  LanguageModelError,
  type ChatModel,
  type LanguageModel,
  type LanguageModelSettings,
  type ModelMessage,
  type ModelToolCall,
} from '#src/modules/llm/language-model.js';
import { OpenAiLanguageModelService } from '#src/modules/llm/openai-language-model.service.js';

/** The features of a model that assistants use. */
export type ModelFeature = 'answers' | 'tools' | 'parallel calls' | 'usage in streams' | 'json_schema';

export interface TurnFinding {
  what: ModelFeature;
  found: boolean;
  /** The reason, or the measured value. */
  detail: string | null;
}

const TOOL = {
  name: 'look_up_weather',
  description: 'Looks up the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city.' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const QUESTION = 'What is the weather in Berlin, and what is the weather in Paris? Look up both at once.';
const WEATHER = '{"weather":"sunny"}';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const MAX_TOKENS = 300;

interface ModelResponse {
  text: string;
  calls: ModelToolCall[];
  hasUsage: boolean;
  firstMs: number | null;
  error: string | null;
}

/** Plays one turn with a tool as conversations do, and requests a response in the form of a schema. */
export async function playTestTurn(
  settings: LanguageModelSettings,
  chat: ChatModel,
): Promise<{ code: string; endpoint: string | null; findings: TurnFinding[] }> {
  const model = new OpenAiLanguageModelService(settings, { findChatModel: async () => chat });
  try {
    await model.warm(chat.code);
    const question: ModelMessage = { role: 'customer', text: QUESTION };
    const asked = await ask(model, chat.code, [question], true);
    const answered =
      asked.calls.length === 0
        ? await ask(model, chat.code, [{ role: 'customer', text: 'Say hello.' }], false)
        : await ask(model, chat.code, [question, ...resultsOf(asked)], true);
    const findings: TurnFinding[] = [
      finding('answers', answered.text.trim() !== '', answered.error ?? latency(asked, answered)),
      finding('tools', asked.calls.some(isUsable), asked.error ?? callsText(asked)),
      finding('parallel calls', asked.calls.length > 1, null),
      finding('usage in streams', answered.hasUsage, null),
      await schemaFinding(model, chat.code),
    ];
    return { code: chat.code, endpoint: chat.endpoint, findings };
  } finally {
    await model.onApplicationShutdown();
  }
}

const finding = (what: ModelFeature, found: boolean, detail: string | null): TurnFinding => ({
  what,
  found,
  detail,
});

const latency = (asked: ModelResponse, answered: ModelResponse): string | null => {
  const ms = answered.firstMs ?? asked.firstMs;
  return ms === null ? null : `first token after ${Math.round(ms)} ms`;
};

const callsText = ({ calls }: ModelResponse): string | null =>
  calls.length > 0 && !calls.some(isUsable) ? 'the arguments are not those of the tool' : null;

function isUsable({ name, arguments: args }: ModelToolCall): boolean {
  try {
    return name === TOOL.name && typeof (JSON.parse(args) as { city?: unknown }).city === 'string';
  } catch {
    return false;
  }
}

async function ask(
  model: LanguageModel,
  name: string,
  messages: readonly ModelMessage[],
  withTool: boolean,
): Promise<ModelResponse> {
  const answer: ModelResponse = { text: '', calls: [], hasUsage: false, firstMs: null, error: null };
  const started = performance.now();
  const request = { model: name, temperature: 0, messages, maxOutputTokens: MAX_TOKENS };
  const tools = { tools: withTool ? [TOOL] : [], mayCallTools: true };
  try {
    for await (const delta of model.stream({ ...request, ...tools }, new AbortController().signal)) {
      answer.firstMs ??= performance.now() - started;
      if (delta.kind === 'text') answer.text += delta.text;
      else if (delta.kind === 'retract') answer.text = '';
      else if (delta.kind === 'usage') answer.hasUsage = true;
      else if (delta.kind === 'tool_call') answer.calls.push(delta);
    }
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error;
    answer.error = error.message;
  }
  return answer;
}

const resultsOf = ({ text, calls }: ModelResponse): ModelMessage[] => [
  { role: 'assistant', text, toolCalls: calls },
  ...calls.map(({ id }): ModelMessage => ({ role: 'tool', callId: id, text: WEATHER })),
];

async function schemaFinding(model: LanguageModel, name: string): Promise<TurnFinding> {
  const form = { kind: 'schema', name: 'place', schema: SCHEMA } as const;
  const messages = [{ role: 'customer', text: 'I live in Berlin. In which city do I live?' }] as const;
  try {
    const text = await model.complete(
      { model: name, messages, responseFormat: form },
      new AbortController().signal,
    );
    const { city } = JSON.parse(text) as { city?: unknown };
    return finding('json_schema', typeof city === 'string', null);
  } catch (error) {
    const isRefused = error instanceof LanguageModelError;
    return finding('json_schema', false, isRefused ? error.message : 'the answer is no JSON of the schema');
  }
}
