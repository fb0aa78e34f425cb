import type { Conversation } from './conversation.js';
import { findFact } from './facts.js';

type Reply = (conversation: Conversation) => string;

/** Replies without a tool; the first match of the customer's words counts. */
const REPLIES: readonly (readonly [words: RegExp, reply: Reply])[] = [
  [/are you (still )?there|hello\?/i, () => 'Yes, I am here. How can I help you?'],
  [
    /who (is|are|am)|what (is|was|this|it)\b|why (are|do) you|is calling/i,
    () => 'I am an assistant, and I am calling about your request. When would it suit you to meet us?',
  ],
  [
    /\b(pressed|keypad|digits?|keys?)\b/i,
    () => 'Thank you, I have got your input. What else may I do for you?',
  ],
  [/how are you/i, () => 'I am well, thank you. How can I help you today?'],
  [/thank/i, () => 'You are welcome. Is there anything else I can do for you?'],
  [
    /appointment|meet|book|schedule/i,
    (conversation) => `${noted(conversation)} Is there anything else I can do for you?`,
  ],
  [/\b(am|pm)\b|o'clock|day\b/i, (conversation) => `${noted(conversation)} Is there anything else?`],
  [/not interested|no,|don't want/i, () => 'I understand. Is there anything else I can do for you?'],
  [
    /\?/,
    () =>
      'That is a good question. I will pass it on, and a colleague will answer it. What else may I do for you?',
  ],
];

/** Used in turn without a match, so that the conversation continues. */
const MOVING_ON = [
  'I see. What would you like me to do for you?',
  'Understood. Could you tell me a little more?',
  'All right. Is there anything else I can do for you?',
];

export function smallTalk(conversation: Conversation): string {
  const { utterance, assistantLines } = conversation;
  const reply = REPLIES.find(([words]) => words.test(utterance))?.[1];
  return reply?.(conversation) ?? MOVING_ON[assistantLines.length % MOVING_ON.length] ?? '';
}

function noted(conversation: Conversation): string {
  const { customerLines } = conversation;
  const when = findFact('when', customerLines);
  const name = findFact('name', customerLines);
  const thanks = name === null ? 'Thank you.' : `Thank you, ${name}.`;
  return when === null ? `${thanks} I have noted that.` : `${thanks} I have noted ${when}.`;
}
