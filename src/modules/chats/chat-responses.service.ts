import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { createTextRenderer } from '../assistants/text-template.js';
import {
  AssistantFunctionsService,
  type ConversationKnowledge,
} from '../conversations/assistant-functions.service.js';
import type { ToolRunner } from '../conversations/engine/tool-runner.js';
import { RedactingToolRunner } from '../conversations/redacting-tool-runner.js';
import { redactionOptions } from '../redaction/redaction-options.js';
import { Clock } from '../conversations/engine/clock.js';
import { chatPrompt } from '../conversations/engine/phrases.js';
import { packOf } from '../conversations/languages/languages.js';
import { LanguageModel } from '../llm/language-model.js';
import { storedForm, type StoredForm } from './chat-redaction.js';
import { ChatResponder, ChatTakenOverError, type ChatSettings } from './chat-responder.js';
import { toChatMemory, completeAbandonedCalls } from './chat-memory.js';
import {
  ChatTurnsRepository,
  type PendingMessage,
  type ChatLease,
  type ChatTurnResult,
} from './chat-turns.repository.js';
import type { Chat } from './entities/chat.entities.js';

/** A message that ends its process so often is not tried again. */
const MAX_TRIES = 3;

/** Answers of assistants to the messages of chats that this process has claimed. */
@Injectable()
export class ChatResponsesService {
  constructor(
    private readonly turns: ChatTurnsRepository,
    private readonly assistants: AssistantsService,
    private readonly model: LanguageModel,
    private readonly functions: AssistantFunctionsService,
    private readonly clock: Clock,
    private readonly settings: RuntimeSettings,
  ) {}

  /** The texts of an assistant with the variables of the chat filled in. */
  renderTexts(
    { variables, visitorVariables }: Pick<Chat, 'variables' | 'visitorVariables'>,
    assistant: AssistantView,
  ) {
    const numbers = { clientPhoneNumber: '', assistantPhoneNumber: '' };
    return createTextRenderer(
      assistant,
      { ...numbers, variables, visitorVariables },
      new Date(this.clock.now()),
    );
  }

  /**
   * The result in its stored form; `said` is the answer as it was given. Sends no request to a model where the AI is
   * switched off.
   * @param written the message as it was written; undefined: another process received it
   * @throws ChatTakenOverError
   */
  async respond(
    lease: ChatLease,
    chat: Chat,
    turn: PendingMessage,
    written?: string,
  ): Promise<ChatTurnResult & { said: string | null }> {
    const assistant = await this.assistants.assistantView(chat.accountId, chat.assistantId);
    const earlierCalls = completeAbandonedCalls(turn.functionCalls);
    if (!chat.aiEnabled) return { text: null, calls: earlierCalls, ends: false, isFree: true, said: null };
    if (!assistant || turn.tries > MAX_TRIES) {
      const result = unanswered(assistant, earlierCalls);
      return { ...result, said: result.text };
    }
    const stored = storedForm(assistant);
    const memory = toChatMemory(await this.turns.findTurnsBefore(turn), {
      message: assistant.redaction === 'model' ? turn.message : (written ?? turn.message),
      calls: earlierCalls,
    });
    const knowledge = await this.functions.openKnowledge(assistant, {
      assistantId: assistant.id,
      callId: null,
      chatId: chat.id,
      asStored: stored.question,
    });
    const answer = new ChatResponder({
      clock: this.clock,
      model: this.model,
      tools: this.toolsOf(assistant),
      knowledge: knowledge.searched,
      settings: this.settingsOf(chat, assistant, knowledge),
      memory,
      earlierCalls,
      save: async (calls) => {
        const saved = await this.turns.saveFunctionCalls(lease, turn.seq, stored.calls(calls));
        if (!saved) throw new ChatTakenOverError();
      },
    });
    return toStoredResult(await answer.respond(), stored);
  }

  private toolsOf(assistant: AssistantView): ToolRunner {
    const tools = this.functions.toolRunner(assistant);
    if (assistant.redaction !== 'model') return tools;
    return new RedactingToolRunner(tools, redactionOptions(assistant.language.tag));
  }

  private settingsOf(chat: Chat, assistant: AssistantView, knowledge: ConversationKnowledge): ChatSettings {
    const { tag } = assistant.language;
    const prompt = this.renderTexts(chat, assistant)(assistant.systemPrompt, 'prompt');
    return {
      model: assistant.llmModel,
      fallbackModel: assistant.fallbackModel,
      fallbackAfterMs: this.settings.model.fallbackSeconds * 1000,
      temperature: assistant.llmTemperature,
      instructions: chatPrompt(knowledge.addTo(prompt), tag),
      language: tag,
      tools: assistant.tools.map(({ id, name, description, schema }) => ({
        id,
        name,
        description,
        parameters: schema,
      })),
      endDescription: assistant.endCallDescription,
    };
  }
}

const toStoredResult = (
  result: ChatTurnResult,
  stored: StoredForm,
): ChatTurnResult & { said: string | null } => ({
  ...result,
  text: result.text === null ? null : stored.text(result.text),
  calls: stored.calls(result.calls),
  said: result.text,
});

/** The assistant is gone, or the message cannot be answered. */
const unanswered = (assistant: AssistantView | null, calls: ChatTurnResult['calls']): ChatTurnResult => ({
  text: packOf(assistant?.language.tag ?? 'en').phrases.askToRepeat,
  calls,
  ends: assistant === null,
  isFree: true,
});
