import { t } from '#console/texts';
import { ASSISTANT_FIELDS, type AssistantRetention } from './retention-rules';

const { labels, days, masked } = t.retention;

/** `Recordings: 7 days, numbers masked`. @param fields those that are named where they have a number */
export function rulesText(
  rules: AssistantRetention,
  fields: readonly (typeof ASSISTANT_FIELDS)[number][] = ASSISTANT_FIELDS,
): string {
  const named = fields.flatMap((field) => {
    const value = rules[field];
    return value === null ? [] : [`${labels[field]}: ${days(value)}`];
  });
  return [...named, ...(rules.mask_numbers ? [masked] : [])].join(', ');
}
