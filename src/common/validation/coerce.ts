const CANONICAL_DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Form-like clients send numbers as text; only the canonical spelling is taken, all else stays as it came. */
export function coerceNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 32 || !CANONICAL_DECIMAL.test(value)) return value;
  return Number(value);
}

/** `1`, `0`, `"1"`, `"0"` stand for booleans; all else stays as it came. */
export function coerceBoolean(value: unknown): unknown {
  if (value === 1 || value === '1') return true;
  if (value === 0 || value === '0') return false;
  return value;
}
