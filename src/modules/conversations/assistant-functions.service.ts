import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import {
  AssistantKnowledgeService,
  type AskingConversation,
} from '../knowledge/assistant-knowledge.service.js';
import { quotedDocuments, type Knowledge } from './engine/knowledge-function.js';
import { HttpToolRunner } from './http-tool-runner.js';

/** What an assistant knows from documents in a conversation. */
export interface ConversationKnowledge {
  /** Searched by the model; null: nothing is. */
  searched: Knowledge | null;
  /** Adds the documents to a prompt, at its beginning: providers keep what many requests begin with. */
  addTo(prompt: string): string;
}

const NOTHING: ConversationKnowledge = { searched: null, addTo: (prompt) => prompt };

/** What the model of a conversation may call besides the functions of the conversation itself. */
@Injectable()
export class AssistantFunctionsService {
  private readonly logger = new Logger(AssistantFunctionsService.name);

  constructor(
    private readonly http: OutboundHttpService,
    private readonly knowledge: AssistantKnowledgeService,
  ) {}

  toolRunner({ tools }: AssistantView): HttpToolRunner {
    return new HttpToolRunner(this.http, tools);
  }

  /** Without a database a conversation goes on without documents. */
  async openKnowledge(
    { accountId, knowledgebaseId, knowledgebaseMode }: AssistantView,
    conversation: AskingConversation,
  ): Promise<ConversationKnowledge> {
    if (knowledgebaseId === null) return NOTHING;
    try {
      const base = await this.knowledge.openBase(accountId, knowledgebaseId, knowledgebaseMode, conversation);
      if (!base) return NOTHING;
      const { name, text } = base;
      if (text === null) return { ...NOTHING, searched: base };
      return { ...NOTHING, addTo: (prompt) => `${quotedDocuments(name, text)}\n\n${prompt}` };
    } catch (error) {
      this.logger.warn('The knowledge base of an assistant was not read', describeError(error));
      return NOTHING;
    }
  }
}
