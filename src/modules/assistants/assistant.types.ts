export const ASSISTANT_TYPES = ['inbound', 'outbound'] as const;
export type AssistantType = (typeof ASSISTANT_TYPES)[number];

export const ASSISTANT_STATUSES = ['active', 'inactive'] as const;
export type AssistantStatus = (typeof ASSISTANT_STATUSES)[number];

/** What a request says for the type: an assistant that receives calls is an inbound one. */
export const CALLS_DIRECTIONS = ['receive', 'make'] as const;
export type CallsDirection = (typeof CALLS_DIRECTIONS)[number];

export const FIRST_SPEAKERS = ['AI assistant', 'Customer'] as const;
export type FirstSpeaker = (typeof FIRST_SPEAKERS)[number];

/** How the end of the customer's turn is detected: by silence, or by a model that follows the words. */
export const ENDPOINT_TYPES = ['vad', 'ai'] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

export const ANSWER_TYPES = ['string', 'number', 'bool'] as const;
export type AnswerType = (typeof ANSWER_TYPES)[number];

/** What the evaluation after a call finds out. */
export interface PostCallField {
  name: string;
  type: AnswerType;
  description: string;
}

/** Fillers that are spoken while the model works, by kind of utterance. */
export interface FillerConfig {
  neutral: string[];
  negative: string[];
  positive: string[];
  question: string[];
}

/** `post-call` receives every call, `inbound` inbound calls only. */
export type WebhookChannel = 'post-call' | 'inbound';
