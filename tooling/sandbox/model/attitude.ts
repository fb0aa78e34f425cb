const GOODBYE = /\b(good ?bye|bye|that(?:'s| is| was) (?:all|everything)|have a (?:nice|good|great) \w+)\b/i;
const NEVER_AGAIN =
  /\b(?:(?:never|don't|do not|stop) (?:\w+ ){0,2}call(?:ing)?\b|(?:take|remove) me (?:off|from)|no more calls|unsubscribe)/i;
const NO = /\b(?:not interested|no interest|don't want|do not want|leave me alone|wrong number|cancel)\b/i;
const YES =
  /\b(?:yes|yeah|sure|please|thank(?:s| you)|suits? me|works for me|i would like|i'd like|agreed?|perfect|great|sounds good)\b/i;
const VOICEMAIL = /\b(?:voice ?mail|leave (?:me |us )?a message|after the (?:tone|beep))\b/i;
const ASKING =
  /\?|\b(?:can you|could you|would you|please|i would like|i'd like|i want|i need|check|look up|book|find out)\b/i;

/** Questions about the call itself, and wishes in the form of a question: no document answers them. */
const ABOUT_THE_CALL =
  /\b(?:what (?:is )?this(?: is)? about|who (?:is|are) (?:this|you|calling)|are you (?:still )?there|how are you)\b/i;
const WISH = /\b(?:can|could|would) you (?:please )?(?:book|check|look up|make|note|schedule|send)\b/i;

export const saysGoodbye = (text: string): boolean => GOODBYE.test(text);
export const wantsNoMoreCalls = (text: string): boolean => NEVER_AGAIN.test(text);
export const asksForSomething = (text: string): boolean => ASKING.test(text);
/** Whether the customer wants to know something that may stand in a document. */
export const asksForKnowledge = (text: string): boolean =>
  text.includes('?') && !ABOUT_THE_CALL.test(text) && !WISH.test(text);
export const isVoicemail = (text: string): boolean => VOICEMAIL.test(text);

/** Whether the customer agreed. */
export function wentWell(customerLines: readonly string[]): boolean {
  const said = customerLines.join('\n');
  if (wantsNoMoreCalls(said) || isVoicemail(said) || NO.test(said)) return false;
  return YES.test(said);
}
