export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Nearest rank: always one of the values. @param share 0–1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
