import { partialFake } from '#src/common/partial.fake.js';
import type { Clock } from '#src/modules/conversations/engine/clock.js';
import type {
  AssistantKnowledgeService,
  KnowledgePassage,
} from '#src/modules/knowledge/assistant-knowledge.service.js';
import { milliseconds, type ScenarioDocuments } from './scenario.types.js';

/** A scenario's documents at the place of the service's: a passage is found by a word of five letters or more. */
export const scriptedKnowledge = (clock: Clock, documents?: ScenarioDocuments): AssistantKnowledgeService =>
  partialFake<AssistantKnowledgeService>({
    openBase: async (_account, _id, mode) => {
      if (!documents) return null;
      const { name, description = null, passages, takes = '0ms' } = documents;
      const text = passages.map((passage) => passage.text).join('\n\n');
      return {
        name,
        description,
        text: mode === 'prompt' ? text : null,
        search: async (question) => {
          const takesMs = milliseconds(takes);
          if (takesMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, takesMs));
          return passages.filter((passage) => shareWord(passage.text, question)).map(toPassage);
        },
      };
    },
  });

const shareWord = (text: string, question: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  return words.some((word) => question.toLowerCase().includes(word));
};

const toPassage = ({ document, text }: { document: string; text: string }): KnowledgePassage => ({
  document,
  section: '',
  page: null,
  url: null,
  text,
});
