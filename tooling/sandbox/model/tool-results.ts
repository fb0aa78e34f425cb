const LONGEST_SPOKEN = 300;

/** Results of functions as a sentence; an apology for a failure. */
export function speakResults(results: readonly string[]): string {
  const spoken = results.map(parse).map((result) => {
    if (isFailure(result)) return 'I am sorry, I could not find that out right now.';
    if (isAppointment(result)) return `Then I will call you again on ${result.scheduled}.`;
    if (hasPassages(result)) return quote(result.passages);
    const content = describe(result);
    return content === '' ? 'That is done.' : `Here is what I found: ${content.slice(0, LONGEST_SPOKEN)}.`;
  });
  return `${spoken.join(' ')} Is there anything else I can do for you?`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isAppointment(result: unknown): result is { scheduled: string } {
  return typeof result === 'object' && result !== null && 'scheduled' in result;
}

/** Of a search in documents. */
interface Found {
  passages: { quotation: string }[];
}

const hasPassages = (result: unknown): result is Found =>
  typeof result === 'object' && result !== null && 'passages' in result && Array.isArray(result.passages);

const quote = ([best]: Found['passages']): string =>
  best
    ? `Here is what I found: ${best.quotation.slice(0, LONGEST_SPOKEN).replace(/[.\s]+$/, '')}.`
    : 'I am sorry, I do not know that.';

function isFailure(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'error' in result && Boolean(result.error);
}

/** `{"available":true,"slot":{"day":"Thursday"}}` → "available is yes, slot: day is Thursday". */
function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(describe).join(', ');
  if (typeof value !== 'object') return String(value).replace(/[.\s]+$/, '');
  return Object.entries(value)
    .map(([name, inner]) => {
      const link = typeof inner === 'object' && inner !== null ? ':' : ' is';
      return `${name.replaceAll('_', ' ')}${link} ${describe(inner)}`;
    })
    .join(', ');
}
