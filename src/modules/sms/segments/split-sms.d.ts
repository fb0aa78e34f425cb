declare module 'split-sms' {
  export function split(message: string): { characterSet: 'GSM' | 'Unicode'; parts: { length: number }[] };
}
