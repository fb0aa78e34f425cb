import { askedIn } from '../model-name.js';

/**
 * Oddities selected by the model name of a request, e.g. `gpt-4.1-mini+same-index+no-ids`:
 *
 * - `same-index`: parallel tool calls share one index, as in some compatible servers
 * - `no-ids`: tool calls have no ids
 * - `parallel`: the first tool is called twice, with its name in each call
 * - `reasons`: reasoning precedes the response, in `reasoning_content`; `thinks`: the same inside `<think>`
 * - `late`: the first token takes 6 s; `hangs`: the stream begins and no frame follows
 * - `empty`: the stream ends without content
 * - `busy`: the first of equal requests within half a minute is refused, with the time until the next one
 * - `refuses`, `fails`, `breaks`: a realtime model opens no session, fails in every response, or closes the session
 *   in place of its second response
 * - `limited`: responses of a realtime session fail by a rate limit for 1.2 s, from the first one of its conversation on
 * - `stalls`, `breaks-off`: the first response of a realtime session stops in the middle without an end, or fails there
 * - `loses-words`: the transcription of the customer fails, or never arrives, in one turn of three
 * - `rewords`: given words are said with an addition
 * - a name of `dialects.ts`: the response is written in this dialect; with `cut-off`, `filtered`, `too-long` or
 *   `error-frame` it ends before it is complete
 * - `strict`: refuses requests without a customer's message, as well as late instructions
 * - `no-tools`, `no-schema`: refuses tools, or responses with a schema; `no-usage`: streams end without usage
 */
const QUIRKS = [
  'same-index',
  'no-ids',
  'parallel',
  'reasons',
  'thinks',
  'late',
  'hangs',
  'empty',
  'busy',
  'refuses',
  'fails',
  'breaks',
  'limited',
  'stalls',
  'breaks-off',
  'loses-words',
  'rewords',
  'strict',
  'no-tools',
  'no-schema',
  'no-usage',
] as const;

export type Quirk = (typeof QUIRKS)[number];

export const quirksOf = (model: string): ReadonlySet<Quirk> =>
  new Set(QUIRKS.filter((quirk) => askedIn(model, [quirk])));
