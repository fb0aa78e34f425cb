/** Planted defect: the slots of some calls are taken again when they were released. */
import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { SimpleReportsService } from '#src/modules/calls/simple-reports.service.js';

const LEAK = `UPDATE call_attempts SET state = 'placed', closed_at = NULL FROM calls
  WHERE calls.id = call_id AND token = $1 AND ended_at IS NOT NULL AND calls.id % 5 = 0`;

const { apply } = SimpleReportsService.prototype;
SimpleReportsService.prototype.apply = async function (token, report) {
  const isApplied = await apply.call(this, token, report);
  if (isApplied) await (this['db'] as DataSource).query(LEAK, [token]);
  return isApplied;
};
