/**
 * How an assistant works: speech to text, a language model and a voice in a row, or one model that hears and speaks.
 */
export const ASSISTANT_MODES = ['pipeline', 'multimodal'] as const;
export type AssistantMode = (typeof ASSISTANT_MODES)[number];

/** What a speech provider does: text to speech, or speech to text. */
export type SpeechKind = 'synthesizer' | 'transcriber';
