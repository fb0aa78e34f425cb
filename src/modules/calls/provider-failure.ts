/** A speech provider that failed in a call and is not used in it any more. */
export interface ProviderFailure {
  kind: 'synthesizer' | 'transcriber';
  /** Its name in the catalogue. */
  provider: string;
  /** The voice's name at the provider; null for a transcriber. */
  voice: string | null;
  /** Without anything of what was said; at most 200 characters. */
  reason: string;
  /** ISO 8601. */
  at: string;
}
