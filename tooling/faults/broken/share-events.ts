/** Planted defect: every account reads the events of all accounts. */
import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import {
  LiveEventsRepository,
  EVENT_READ_BATCH,
  type NumberedEvent,
} from '#src/modules/calls/live/live-events.repository.js';

LiveEventsRepository.prototype.readEvents = function (_scope, after, newest): Promise<NumberedEvent[]> {
  const { db } = this as unknown as { db: DataSource };
  return db.query(
    `SELECT seq::float8 AS seq, kind, data::text AS data FROM live_events
      WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${EVENT_READ_BATCH}`,
    [after, newest],
  );
};
