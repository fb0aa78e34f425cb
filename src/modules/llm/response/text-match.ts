/** The text or tag at a position. `wait`: more characters are needed. */
export type TextMatch = { length: number; text?: string; retracts?: true } | 'wait';

/** The result of one step through a text. */
export interface ReadStep {
  text?: string;
  needsMore?: boolean;
  /** The text before it was reasoning. */
  retracts?: boolean;
}

export const asText = (text: string, length: number): { length: number; text: string } => ({
  length,
  text: text.slice(0, length),
});
