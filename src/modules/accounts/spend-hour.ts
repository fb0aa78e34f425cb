const HOUR_MS = 3_600_000;

/** When the current hour (UTC) ends, and limits begin anew. */
export const endOfHour = (now: Date): Date => new Date(now.getTime() - (now.getTime() % HOUR_MS) + HOUR_MS);
