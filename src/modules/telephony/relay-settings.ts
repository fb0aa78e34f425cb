/** What the assistant asks of the line, in the service's own terms; an adapter translates what it can. */
export interface RelaySettings {
  /** Spoken by the carrier when the line opens; null when the customer speaks first or the call resumes. */
  greeting: string | null;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  voice: { provider: string; voice: string };
  /** 0–1, from the assistant; only where the provider takes it. */
  voiceStability: number;
  voiceSimilarity: number;
  /** 0.7–1.2 */
  speechSpeed: number;
  allowInterruptions: boolean;
  /** 0–5, more is quicker to stop. */
  interruptSensitivity: number;
  /** Words that stop the assistant's speech; with 0 and 1 the first sound does. */
  minInterruptWords: number;
  endpointType: 'vad' | 'ai';
  /** 0–5, more is quicker to take the customer's turn for ended. */
  endpointSensitivity: number;
  noiseCancellation: boolean;
  /** Whether a background sound is wanted. */
  ambientSound: boolean;
  record: boolean;
}
