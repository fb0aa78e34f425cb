/** Lower-cased names that were found to exist. Only these are kept: they are finite, what users invent is not. */
const known = new Set<string>();

/** Whether `name` is an identifier of the IANA time zone database (in any case); UTC offsets are not. */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase();
  if (known.has(key)) return true;
  if (!/^[a-z]/.test(key) || !isAccepted(name)) return false;
  known.add(key);
  return true;
}

function isAccepted(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
