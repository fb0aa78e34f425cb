/** RFC 2822, the date format of the REST API and callbacks: `Tue, 31 Aug 2010 20:36:28 +0000`. */
export function rfc2822(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

export function rfc2822OrNull(date: Date | null): string | null {
  return date === null ? null : rfc2822(date);
}
