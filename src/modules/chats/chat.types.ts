/** `test` is free; it and `api` begin with a token of the assistant's account. */
export const CHAT_TYPES = ['widget', 'test', 'api'] as const;
export type ChatType = (typeof CHAT_TYPES)[number];

/** What lists can be filtered by: clients know a type that nothing here begins. */
export const LISTED_CHAT_TYPES = [...CHAT_TYPES, 'whatsapp'] as const;

export const CHAT_STATES = ['active', 'ended'] as const;
export type ChatState = (typeof CHAT_STATES)[number];

/** A tool that the model called while it answered. */
export interface FunctionCall {
  name: string;
  arguments: Record<string, unknown>;
  /** The result for the model; null: the tool was started, and its result is unknown. */
  result: string | null;
}

/** Messages of the customer; the answer to the last one ends the conversation. */
export const MAX_MESSAGES = 100;
export const MAX_MESSAGE_CHARACTERS = 2_000;
/** Of the identifier that a client has for its customer. */
export const MAX_IDENTIFIER_CHARACTERS = 255;
