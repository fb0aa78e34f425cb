/** A model's name without its suffixes: `nova-3` of `nova-3+late+breaks`. */
export const baseName = (model: string): string => model.split('+')[0] ?? '';

/** The first of these names that is a suffix of a model's name; null: none. */
export function askedIn<T extends string>(model: string, names: readonly T[]): T | null {
  const asked = model.split('+').slice(1);
  return names.find((name) => asked.includes(name)) ?? null;
}
