/** Variables that the system fills in; others in single braces are variables of the call. */
export interface SystemVariables {
  customer_phone: string;
  assistant_phone: string;
  assistant_name: string;
  current_date: string;
  current_time: string;
}

/** A placeholder within one line; names may be titles of columns, with blanks and other characters. */
const PLACEHOLDER = /\{\{([^{}\r\n]{1,200})\}\}|\{([^{}\r\n]{1,200})\}/g;
/** Unknown text in braces that may be a name; other text is no placeholder, as in an example of JSON. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .\-/()#&'’?%+€$°№]{0,63}$/u;

/** A longer value is no name, date or remark. */
const MAX_VALUE_CHARACTERS = 500;
/** Maximum of a visitor's value, which the assistant speaks as its own words: enough for a name. */
const MAX_VISITOR_CHARACTERS = 60;

/**
 * Fills `{name}` and `{{name}}` from the call's variables and from system values such as `{{customer_phone}}`, which
 * win in double braces; a missing value becomes the empty text. Values become one line of limited length and are not
 * read as templates. In a `prompt` texts stand in quotes: whoever filled in a lead's form must not instruct the model.
 *
 * @param ofVisitor names of the variables that somebody without a token set: spoken with at most 60 characters
 */
export function renderTemplate(
  template: string,
  variables: Record<string, unknown>,
  system: SystemVariables,
  use: 'speech' | 'prompt' = 'speech',
  ofVisitor: readonly string[] = [],
): string {
  return template.replace(PLACEHOLDER, (whole: string, double?: string, single?: string) => {
    const name = oneBlank(double ?? single ?? '');
    const value = own(variables, name) ?? titled(variables, name);
    if (value === undefined && !NAME.test(name)) return whole;
    const isSystem = Object.hasOwn(system, name) && (double !== undefined || value === undefined);
    if (isSystem) return oneLine(own(system, name));
    if (use === 'prompt') return quoted(value);
    return oneLine(value, ofVisitor.includes(name) ? MAX_VISITOR_CHARACTERS : MAX_VALUE_CHARACTERS);
  });
}

export interface Placeholder {
  /** With its braces. */
  text: string;
  name: string;
  /** Of its first brace in the template. */
  index: number;
}

/** In order; other texts in braces, as in an example of JSON, are none. */
export function placeholdersOf(template: string, variables: Record<string, unknown>): Placeholder[] {
  return [...template.matchAll(PLACEHOLDER)]
    .map(({ 0: text, 1: double, 2: single, index }) => ({
      text,
      name: oneBlank(double ?? single ?? ''),
      index,
    }))
    .filter(({ name }) => NAME.test(name) || own(variables, name) !== undefined);
}

const oneBlank = (name: string): string => name.replace(/\s+/g, ' ').trim();

/** Titles of columns may have several blanks in a row, or blanks around them. */
function titled(variables: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(variables).find((one) => oneBlank(one) === name);
  return key === undefined ? undefined : own(variables, key);
}

function own(values: object, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name as keyof typeof values] : undefined;
}

function oneLine(value: unknown, max = MAX_VALUE_CHARACTERS): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > max ? `${line.slice(0, max).toWellFormed()}…` : line;
}

function quoted(value: unknown): string {
  const line = oneLine(value);
  return line === '' || typeof value === 'number' || typeof value === 'boolean' ? line : JSON.stringify(line);
}

/** Date and time in words, in the assistant's time zone. */
export function localNow(
  timezone: string,
  now: Date,
): Pick<SystemVariables, 'current_date' | 'current_time'> {
  const parts = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...options }).format(now);
  return {
    current_date: parts({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    current_time: parts({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}
