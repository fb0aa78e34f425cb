/** Where JSON begins in a text, also with keys that lack their quotes, or have them escaped. */
export const JSON_BEGINS = /^(?:\{|\[\s*\{)\s*(?:\\?["']|[A-Za-z_]\w*\s*:)/;

const QUOTED_KEY = /["'](?:name|function|arguments|parameters|tool_calls|function_call)\\?["']/;
const BARE_KEY = /[{,]\s*(?:function|arguments|parameters|tool_calls|function_call)\s*:/;

/** Of JSON that cannot be read (undefined): whether a call was meant. */
export const isRestOfCall = (text: string, value: unknown): boolean =>
  value === undefined && (QUOTED_KEY.test(text) || BARE_KEY.test(text));

const REST = /"(?:arguments|parameters|tool_calls|function_call)"\s*:/;

/** Whether a text holds parts of a call whose beginning is missing. */
export const hasRestOfCall = (text: string): boolean => REST.test(text);
