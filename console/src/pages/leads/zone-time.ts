/** The time on the zone's clock as `2026-01-31 09:30:00`, as Mantine's pickers take it. */
export function inZone(time: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    time,
  );
}

/** The moment at which the zone's clock shows the time; of an hour that it skips, the one behind it. */
export function fromZone(wall: string, zone: string): Date {
  const asUtc = new Date(`${wall.replace(' ', 'T')}Z`).getTime();
  let time = asUtc;
  // The offset before and behind a change differs: the second round has the right one.
  for (let round = 0; round < 2; round++) {
    const shown = new Date(`${inZone(new Date(time), zone).replace(' ', 'T')}Z`).getTime();
    time += asUtc - shown;
  }
  return new Date(time);
}
