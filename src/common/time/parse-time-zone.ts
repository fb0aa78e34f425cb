import { canonicalZone } from './time.js';
import { ZONE_ALIASES } from './zone-aliases.js';

/** As long as the longest name that Windows shows, with its offset. */
const MAX_LENGTH = 96;
const INVISIBLE = /\p{Cf}/gu;
/** `(UTC-05:00) ` and `(GMT) ` in front of a name. The name decides: it has summer time, the offset has not. */
const OFFSET_MARK = /^\((?:UTC|GMT)(?:[+\-\u2212]\d{1,2}(?::?\d{2})?)?\)\s*/i;
/** `Eastern Standard Time (America/New_York)`. */
const IN_BRACKETS = /\(([a-z_]+\/[a-z0-9_+\-/]+)\)$/i;

/**
 * The time zone that a person or another system wrote: an IANA identifier in any case, with blanks for underscores, or
 * written as `us_slash_eastern`; a name of Windows, Outlook or Rails; each with blanks around it. Docs:
 * docs/use/imports.md.
 *
 * @returns the canonical IANA identifier; null: the text names no zone, or not one alone
 */
export function parseTimeZone(written: string): string | null {
  if (written.length > MAX_LENGTH) return null;
  const text = written.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  const name = text.replace(OFFSET_MARK, '');
  return aliased(name) ?? identified(name);
}

function aliased(name: string): string | null {
  const zone = ZONE_ALIASES.get(name.toLowerCase()) ?? IN_BRACKETS.exec(name)?.[1];
  return zone === undefined ? null : canonicalZone(zone);
}

function identified(text: string): string | null {
  return (
    canonicalZone(text) ??
    canonicalZone(text.replaceAll(' ', '_')) ??
    canonicalZone(text.replace(/_slash_/gi, '/').replace(/_hyphen_/gi, '-'))
  );
}
