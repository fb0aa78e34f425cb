const MAX_LENGTH = 2048;

/** Whether this may be stored as a recording's address: it is shown to users and told to webhooks. */
export const isRecordingUrl = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
