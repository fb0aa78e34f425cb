/** A failure of a speech provider, which is excluded from the rest of the call. */
export interface ProviderFailure {
  kind: 'synthesizer' | 'transcriber';
  /** Its name in the catalogue. */
  provider: string;
  /** The voice's name at the provider; null for a transcriber. */
  voice: string | null;
  /** Without words of the call; at most 200 characters. */
  reason: string;
  /** ISO 8601. */
  at: string;
}
