const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of columns as requests have them: `{maxRetries: 3}` → `['max_retries']`. */
export const changedFields = (columns: object): string[] => Object.keys(columns).map(toSnake).sort();
