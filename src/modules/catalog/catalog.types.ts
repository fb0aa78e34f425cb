/**
 * How an assistant works: speech to text, a language model and a voice in a row, or one model that hears and speaks.
 */
export const ASSISTANT_MODES = ['pipeline', 'multimodal'] as const;
export type AssistantMode = (typeof ASSISTANT_MODES)[number];

/** The kind of a speech provider: text to speech, or speech to text. */
export type SpeechKind = 'synthesizer' | 'transcriber';

/** The interface that a speech provider has. */
export const SPEECH_ADAPTERS = ['openai', 'deepgram', 'deepgram-flux', 'elevenlabs', 'cartesia'] as const;
export type SpeechAdapter = (typeof SPEECH_ADAPTERS)[number];

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Warnings about a model: its endpoint does not list it, its provider ends it within 60 days, or has ended it. */
export const MODEL_WARNINGS = ['missing', 'retiring', 'retired'] as const;
export type ModelWarning = (typeof MODEL_WARNINGS)[number];
