/** Planted defect: the slots of some calls are acquired again after their release. */
import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';

const LEAK = `UPDATE call_attempts SET state = 'placed', closed_at = NULL FROM calls
  WHERE calls.id = call_id AND calls.id = $1 AND ended_at IS NOT NULL AND calls.id % 5 = 0`;

const { applyReport } = CallStateService.prototype;
CallStateService.prototype.applyReport = async function (key, report) {
  const call = await applyReport.call(this, key, report);
  if (call) await (this['db'] as DataSource).query(LEAK, [call.id]);
  return call;
};
