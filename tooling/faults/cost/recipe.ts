/** All parameters of a request that the search varies; can be printed and repeated. */
export interface Recipe {
  /** Method and path template of the route. */
  route: string;
  token: 'none' | 'wrong' | 'valid';
  type: (typeof TYPES)[number];
  shape: (typeof SHAPES)[number];
  /** The content that the shape repeats. */
  value: string;
  /** Repetitions of the shape; cut at the maximum size of a request. */
  count: number;
  /** Repetitions of `value` within one element of the shape. */
  length: number;
  /** Index of the field or query parameter that contains the value. */
  field: number;
}

export const TYPES = ['json', 'form', 'multipart', 'xml', 'text', 'none'] as const;

/** The last four are not in the body. */
export const SHAPES = [
  'valid',
  'field',
  'field-list',
  'field-objects',
  'field-keys',
  'wide',
  'repeated',
  'deep',
  'deep-list',
  'list-under-long-key',
  'flat',
  'csv-columns',
  'csv-lines',
  'query',
  'headers',
  'accept',
  'path',
] as const;

/** Inputs that are expensive for parsers that backtrack, normalize, cache or copy. */
export const VALUES: readonly string[] = [
  'a',
  '\u0000',
  '\ud800',
  'é',
  '\u{1f600}',
  ' ',
  '\t',
  '\n',
  '\r\n',
  ',',
  ';',
  '"',
  '""',
  '=',
  '&',
  'a&',
  '%',
  '%61',
  '%2f',
  '../',
  '/',
  '.',
  'a.',
  '-',
  '_',
  '0',
  '1',
  '+',
  '+1',
  '(',
  '{',
  '{{',
  '{{a}}',
  '[',
  '<a>',
  '<!ENTITY a "a">',
  '&amp;',
  'http://a',
  'http://a.',
  'a@',
  '*/*,',
  'a/b;q=0.1,',
  '+14155552671',
  '(415) 555-2671 ext ',
  'eUrope/Berlin',
  'Europe/Berlin',
  '2026-01-01 00:00:00',
  '23:59',
  '1e9',
  '-0.0',
  'true',
  'null',
  '127.0.0.1,',
  'bytes=0-1,',
  'toString',
  '__proto__',
  'constructor.',
];

export const MAX_COUNT = 65_536;

/** The route and the parameters that differ from the default, in the format of `--replay`. */
export const describeRecipe = (recipe: Recipe): string => JSON.stringify(recipe);
