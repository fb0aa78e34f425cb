import { defineEvent } from '#src/events/event-type.js';

/** A text conversation in which the customer wrote something is over and evaluated: its record is final. */
export const ChatEnded = defineEvent<{ chatId: number; accountId: number }>('chat.ended');
