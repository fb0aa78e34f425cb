/**
 * Oddities that a request asks for by the name of its model, e.g. `gpt-4.1-mini+same-index+no-ids`:
 *
 * - `same-index`: parallel tool calls share one index, as some compatible servers have it
 * - `no-ids`: tool calls come without ids
 * - `parallel`: the first tool is called twice over, with its name in each call
 * - `reasons`: thoughts precede the answer, in `reasoning_content`; `thinks`: the same inside `<think>`
 * - `late`: the first token takes 6 s; `hangs`: the stream begins and nothing follows
 * - `empty`: the stream ends without a word
 * - `refuses`, `fails`, `breaks`: a realtime model opens no session, fails in every response, or closes the session in
 *   place of its second response
 * - a name of `dialects.ts`: the answer is written in this dialect; with `cut-off`, `filtered`, `too-long` or
 *   `error-frame` it ends before it is whole
 * - `strict`: refuses requests without a customer's message, as well as late instructions
 * - `no-tools`, `no-schema`: refuses tools, or answers in the form of a schema; `no-usage`: streams end without usage
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
  'refuses',
  'fails',
  'breaks',
  'strict',
  'no-tools',
  'no-schema',
  'no-usage',
] as const;

/** The part of a model's name that asks for a dialect. */
export function askedIn<T extends string>(model: string, names: readonly T[]): T | null {
  const asked = model.split('+').slice(1);
  return names.find((name) => asked.includes(name)) ?? null;
}

export type Quirk = (typeof QUIRKS)[number];

/** The model's name without what follows `+`. */
export function baseName(model: string): string {
  return model.split('+')[0] ?? '';
}

export function quirksOf(model: string): ReadonlySet<Quirk> {
  const asked = model.split('+').slice(1);
  return new Set(QUIRKS.filter((quirk) => asked.includes(quirk)));
}
