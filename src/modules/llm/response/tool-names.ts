/** Quotes, and tags of gpt-oss that its server leaves behind the name. */
const AROUND = /^["'`]+|["'`]+$|<[|｜][^]*$/g;

/** `functions.name:0`, `"name"` and `name<|channel|>commentary` become the name of a known tool; others stay unchanged. */
export function normalizeToolName(written: string, known: ReadonlySet<string>): string {
  if (known.has(written)) return written;
  const bare = written
    .replace(AROUND, '')
    .trim()
    .replace(/^(?:functions?|tools?|default_api)\./, '')
    .replace(/:\d+$/, '');
  return known.has(bare) ? bare : written;
}
