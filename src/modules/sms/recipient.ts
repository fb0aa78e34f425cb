import { isSandboxNumber, isValidNumber } from '#src/common/phone/phone.js';

/** Whether a message may go to this E.164 number: it lies in a range that is in use. */
export const isRecipient = (e164: string): boolean => isSandboxNumber(e164) || isValidNumber(e164);
