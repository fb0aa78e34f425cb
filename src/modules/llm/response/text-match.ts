/** What of the response until now was reasoning: all of it, or its text without the calls. */
export type Retraction = 'all' | 'text';

/** The text or tag at a position. `wait`: more characters are needed. */
export type TextMatch = { length: number; text?: string; retracts?: Retraction } | 'wait';

/** The result of one step through a text. */
export interface ReadStep {
  text?: string;
  needsMore?: boolean;
  retracts?: Retraction;
}

export const asText = (text: string, length: number): { length: number; text: string } => ({
  length,
  text: text.slice(0, length),
});

/** Pattern of these characters or the first of them. */
export const begunWith = (signs: readonly string[]): string =>
  signs.reduceRight((rest, sign) => `(?:${sign}${rest})?`, '');
