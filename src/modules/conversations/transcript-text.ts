import type { Turn } from '../calls/call.view.js';

/** A line per turn: `AI: …` / `Customer: …`. */
export const toTranscript = (turns: Turn[]): string =>
  turns
    .filter(({ text }) => text.trim() !== '')
    .map(
      ({ role, text }) =>
        `${role === 'assistant' ? 'AI' : 'Customer'}: ${text.trim().replace(/\s*\n\s*/g, ' ')}`,
    )
    .join('\n');
