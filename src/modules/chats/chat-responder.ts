import { Logger } from '@nestjs/common';
import { toStorable } from '#src/common/persistence/storable.js';
import {
  ContentFilterError,
  LanguageModelError,
  type LanguageModel,
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
} from '../llm/language-model.js';
import { streamWithFallback } from '../llm/model-fallback.js';
import { END_CALL, isReservedName, modelTools } from '../conversations/engine/built-in-tools.js';
import type { Clock } from '../conversations/engine/clock.js';
import type { ConversationMemory } from '../conversations/engine/conversation-memory.js';
import type { ConversationTool } from '../conversations/engine/conversation-settings.js';
import {
  knowledgeFunction,
  SEARCH_KNOWLEDGE,
  type Knowledge,
} from '../conversations/engine/knowledge-function.js';
import { packOf } from '../conversations/languages/languages.js';
import { ToolRound } from '../conversations/engine/tool-round.js';
import type { ToolRunner } from '../conversations/engine/tool-runner.js';
import type { FunctionCall } from './chat.types.js';
import type { ChatTurnResult } from './chat-turns.repository.js';

const MAX_OUTPUT_TOKENS = 1_000;
const MAX_CHARACTERS = 8_000;
/** A reader waits longer than a caller. */
const FIRST_TOKEN_LIMIT_MS = 20_000;
/** After this many consecutive rounds of tools the model has to write. */
const MAX_TOOL_ROUNDS = 5;
const END_DESCRIPTION =
  'Ends the conversation. Use it when the customer says goodbye or everything is said. ' +
  'Say goodbye in the same answer.';

/** Settings of the assistant for a chat; variables in texts are filled in. */
export interface ChatSettings {
  model: string;
  fallbackModel: string | null;
  fallbackAfterMs: number;
  /** 0–1 */
  temperature: number;
  instructions: string;
  /** BCP 47, of texts without the model. */
  language: string;
  tools: readonly ConversationTool[];
  endDescription: string | null;
}

export interface ChatResponderParts {
  clock: Clock;
  model: LanguageModel;
  tools: ToolRunner;
  /** Documents that are searched; null: none. */
  knowledge?: Knowledge | null;
  settings: ChatSettings;
  /** Ends with the message that is to be answered, and the tools that were run for it. */
  memory: ConversationMemory;
  /** Those tools. */
  earlierCalls: readonly FunctionCall[];
  /** Stores the tools before they are run and after. @throws ChatTakenOverError */
  save(calls: FunctionCall[]): Promise<void>;
}

/** Another process answers the messages of the chat now. */
export class ChatTakenOverError extends Error {}

/** Responds to one message of the customer: requests to the model, with tools between them. */
export class ChatResponder {
  private readonly logger = new Logger(ChatResponder.name);
  private readonly texts: string[] = [];
  private readonly calls: FunctionCall[];
  private readonly request: { model: string; temperature: number; tools: readonly ModelTool[] };
  private readonly round: ToolRound;

  constructor(private readonly parts: ChatResponderParts) {
    const { clock, settings, tools, knowledge, earlierCalls } = parts;
    const own = settings.tools.filter(({ name }) => !isReservedName(name, false));
    const isReplaced = own.some(({ name }) => name === SEARCH_KNOWLEDGE);
    const functions = knowledge && !isReplaced ? [knowledgeFunction(knowledge, clock)] : [];
    const offered = modelTools(own, settings.endDescription ?? END_DESCRIPTION, functions);
    this.calls = [...earlierCalls];
    this.request = {
      model: settings.model,
      temperature: settings.temperature,
      // Of the built-in functions the others are about telephone calls.
      tools: offered.filter(({ name }) => !isReservedName(name, false) || name === END_CALL),
    };
    const over = new AbortController().signal;
    this.round = new ToolRound(clock, tools, { addToolCall: () => undefined }, own, functions, over);
  }

  async respond(): Promise<ChatTurnResult> {
    const phrases = packOf(this.parts.settings.language).phrases;
    for (let round = 0; ; round += 1) {
      const answer = await this.requestResponse(round < MAX_TOOL_ROUNDS);
      if (answer === null) return { ...this.responseWith(phrases.askToRepeat), isFree: true };
      if (answer.text) this.texts.push(answer.text);
      await this.runTools(answer);
      if (answer.calls.some(({ name }) => name === END_CALL)) {
        this.calls.push({ name: END_CALL, arguments: {}, result: ENDED });
        return { ...this.responseWith(this.texts.length > 0 ? '' : phrases.goodbye), ends: true };
      }
      if (answer.calls.length === 0) return this.responseWith('');
    }
  }

  private responseWith(more: string): ChatTurnResult {
    const text = [...this.texts, more].filter(Boolean).join('\n');
    return {
      text: toStorable(text.slice(0, MAX_CHARACTERS)),
      calls: this.calls,
      ends: false,
      isFree: false,
    };
  }

  private async runTools({ text, calls }: ChatModelResponse): Promise<void> {
    const lasting = ToolRound.removeEndFunctions(calls);
    const entry = this.parts.memory.addAssistant(text);
    if (lasting.length === 0) return;
    await this.parts.save([...this.calls, ...lasting.map((call) => toFunctionCall(call, null))]);
    await this.round.run(lasting, entry);
    this.calls.push(...entry.tools.map(({ call, answer }) => toFunctionCall(call, answer)));
    await this.parts.save(this.calls);
  }

  /** Null: the model failed, also in the retry. */
  private async requestResponse(mayCallTools: boolean): Promise<ChatModelResponse | null> {
    for (const isLastTry of [false, true]) {
      try {
        const answer = await this.listen(mayCallTools);
        if (answer.text || answer.calls.length > 0) return answer;
        throw new LanguageModelError('The language model said nothing', true);
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error;
        this.logger.warn(error.message);
        if (error instanceof ContentFilterError)
          return { text: packOf(this.parts.settings.language).phrases.unfinished, calls: [] };
        if (isLastTry || !error.retryable) return null;
      }
    }
    return null;
  }

  private async listen(mayCallTools: boolean): Promise<ChatModelResponse> {
    const { clock, model, memory, settings } = this.parts;
    const system: ModelMessage = { role: 'system', text: settings.instructions };
    const messages = [system, ...memory.messages()];
    const calls: ModelToolCall[] = [];
    let text = '';
    let stopped = false;
    const stop = new AbortController();
    for await (const delta of streamWithFallback(
      model,
      { ...this.request, messages, mayCallTools, maxOutputTokens: MAX_OUTPUT_TOKENS },
      stop.signal,
      {
        model: settings.fallbackModel,
        afterMs: settings.fallbackAfterMs,
        timeoutMs: FIRST_TOKEN_LIMIT_MS,
        setTimer: (task, ms) => clock.setTimeout(task, ms),
      },
    )) {
      if (delta.kind === 'text') text += delta.text;
      else if (delta.kind === 'retract') text = '';
      else if (delta.kind === 'stopped') stopped = true;
      else if (delta.kind === 'tool_call' && mayCallTools) calls.push(delta);
      if (text.length > MAX_CHARACTERS) stop.abort();
    }
    const said = text.trim();
    const { unfinished } = packOf(settings.language).phrases;
    return {
      text: stopped && calls.length === 0 ? [said, unfinished].filter(Boolean).join('\n') : said,
      calls,
    };
  }
}

interface ChatModelResponse {
  text: string;
  calls: ModelToolCall[];
}

const ENDED = JSON.stringify({ status: 'ended' });

const toFunctionCall = ({ name, arguments: text }: ModelToolCall, result: string | null): FunctionCall => ({
  name,
  arguments: readObject(text),
  result,
});

/** A model's arguments are not always JSON. */
function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
