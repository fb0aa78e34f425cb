import { EnumField, TextField } from '#src/common/validation/fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { KNOWLEDGE_LANGUAGES, type KnowledgeLanguage } from '../knowledge.types.js';

class KnowledgeBaseFields {
  @TextField({ max: 255, example: 'Opening hours and returns' })
  name: string;

  @TextField({
    required: false,
    nullable: true,
    max: 255,
    description: 'What is in it: tells the assistant when to search it.',
  })
  description?: string | null;
}

export class CreateKnowledgeBaseDto extends KnowledgeBaseFields {
  @EnumField(KNOWLEDGE_LANGUAGES, {
    required: false,
    default: 'en',
    description: 'ISO 639-1: the language of the documents. It cannot be changed.',
  })
  language?: KnowledgeLanguage;
}

/** Absent keeps the value; null is accepted only by nullable fields. */
export class UpdateKnowledgeBaseDto extends UpdateType(KnowledgeBaseFields) {}
