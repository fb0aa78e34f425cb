import { NumberField } from '#src/common/validation/fields.js';

const MAX_SPEND_LIMIT = 1_000_000;

/** Of an account or an API key; null: none. */
export const SpendLimitField = (description: string): PropertyDecorator =>
  NumberField({ required: false, nullable: true, min: 0, max: MAX_SPEND_LIMIT, example: 25, description });
