/** Where JSON begins in a text, also with keys that lack their quotes, or have them escaped. */
export const JSON_START = /^(?:\{|\[\s*\{)\s*(?:\\?["']|[A-Za-z_]\w*\s*:)/;

const QUOTED_KEY = /["'](?:name|function|arguments|parameters|tool_calls|function_call)\\?["']/;
const BARE_KEY = /[{,]\s*(?:function|arguments|parameters|tool_calls|function_call)\s*:/;

/** Whether JSON that cannot be parsed (value undefined) was meant as a call. */
export const isBrokenCall = (text: string, value: unknown): boolean =>
  value === undefined && (QUOTED_KEY.test(text) || BARE_KEY.test(text));

const REST = /"(?:arguments|parameters|tool_calls|function_call)"\s*:/;

/** Whether a text contains parts of a call whose beginning is missing. */
export const hasCallFragment = (text: string): boolean => REST.test(text);
