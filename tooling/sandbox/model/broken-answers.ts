import { chunk, isEnd, type Json } from './dialect-frames.js';

/** Ways in which a response ends before it is complete; applied to the frames of any dialect. */
export const BREAKS = {
  /** Without any end marker. */
  'cut-off': (frames) => frames.slice(0, lastWord(frames)).map(asEvent),
  filtered: (frames) => [
    ...frames.slice(0, lastWord(frames)).map(asEvent),
    asEvent(chunk({}, { finish_reason: 'content_filter' })),
    'data: [DONE]\n\n',
  ],
  'too-long': (frames) => [
    ...frames.slice(0, lastWord(frames)).map(asEvent),
    asEvent(chunk({}, { finish_reason: 'length' })),
    'data: [DONE]\n\n',
  ],
  'error-frame': (frames) => [
    ...frames.slice(0, lastWord(frames)).map(asEvent),
    asEvent({ error: { message: 'The server is overloaded.', type: 'server_error', code: 503 } }),
  ],
} as const satisfies Record<string, (frames: readonly Json[]) => string[]>;

export type BreakName = keyof typeof BREAKS;
export const BREAK_NAMES = Object.keys(BREAKS) as BreakName[];

const asEvent = (frame: Json): string => `data: ${JSON.stringify(frame)}\n\n`;

/** The position of the last frame before the end, which is left out. */
const lastWord = (frames: readonly Json[]): number => frames.findIndex(isEnd) - 1;
