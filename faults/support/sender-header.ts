/** Carries the process id of whoever sent the request. */
export const SENDER_HEADER = 'x-sent-by-process';
