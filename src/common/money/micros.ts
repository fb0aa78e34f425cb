/** Money is kept in millionths of the account's currency unit, as integers. */
export const MICROS_PER_UNIT = 1_000_000n;

/** Micro-units as the number that the API shows, e.g. `12500n` → `0.0125`. */
export const toAmount = (micros: bigint | string): number => Number(micros) / Number(MICROS_PER_UNIT);

/** The reverse: an amount of the API in micro-units, rounded. */
export const amountToMicros = (amount: number): bigint =>
  BigInt(Math.round(amount * Number(MICROS_PER_UNIT)));

/**
 * A decimal amount (`"0.0075"`) in micro-units, exactly; digits past the sixth are rounded half up.
 * @throws RangeError when the text is no plain decimal number.
 */
export function toMicros(amount: string): bigint {
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(amount.trim());
  if (!match) throw new RangeError('not a decimal amount');
  const [, sign, whole = '0', fraction = ''] = match;
  const digits = fraction.padEnd(7, '0');
  const micros =
    BigInt(whole) * MICROS_PER_UNIT + BigInt(digits.slice(0, 6)) + (digits.charAt(6) >= '5' ? 1n : 0n);
  return sign ? -micros : micros;
}
