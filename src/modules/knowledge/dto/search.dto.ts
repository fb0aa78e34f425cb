import { IntegerField, TextField } from '#src/common/validation/fields.js';

const MAX_RESULTS = 20;
export const DEFAULT_RESULTS = 5;
/** Characters: a sentence or two. */
const MAX_QUERY = 1_000;

export class SearchKnowledgeDto {
  @TextField({
    max: MAX_QUERY,
    description: 'A question or words; a part in double quotes has to stand so in the text.',
    example: 'When are you open on Sundays?',
  })
  query: string;

  @IntegerField({ required: false, min: 1, max: MAX_RESULTS, default: DEFAULT_RESULTS })
  limit?: number;
}
