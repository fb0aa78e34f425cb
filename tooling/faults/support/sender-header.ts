/** Process id of the sender. */
export const SENDER_HEADER = 'x-sent-by-process';
