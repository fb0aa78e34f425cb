/** Planted defect for `fuzz`: of the states that a report of an end implies only the first one is entered. */
import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { Call } from '#src/modules/calls/entities/call.entity.js';

const { applyReport } = CallStateService.prototype;
CallStateService.prototype.applyReport = async function (key, report) {
  const call = await (this['db'] as DataSource).manager.findOneBy(Call, key);
  const isUnanswered = call?.status === 'initiated' || call?.status === 'ringing';
  const isTooMuch = isUnanswered && report.status === 'completed';
  return applyReport.call(this, key, isTooMuch ? { ...report, status: 'in-progress' } : report);
};
