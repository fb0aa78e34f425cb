import type { CsvColumns } from '#src/common/csv/csv-stream.js';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { type CallForResponse, toTransferResponse } from './dto/call.response.js';

/** Columns of the calls' CSV file. */
export const CALL_COLUMNS: CsvColumns<CallForResponse> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => toDateTime(createdAt),
  type: ({ type }) => type,
  status: ({ status }) => status,
  assistant_name: ({ assistantName }) => assistantName,
  campaign_name: ({ campaignName }) => campaignName,
  assistant_phone_number: ({ assistantPhoneNumber }) => assistantPhoneNumber,
  client_phone_number: ({ clientPhoneNumber }) => clientPhoneNumber,
  duration: ({ duration }) => duration,
  answered_by: ({ answeredBy }) => answeredBy,
  ended_by: ({ endedBy }) => endedBy,
  ended_reason: ({ endedReason }) => endedReason,
  transfers: ({ transfers }) => transfers.map(toTransferResponse),
  carrier_cost: ({ carrierCostMicros }) => toAmount(carrierCostMicros),
  total_cost: ({ totalCostMicros }) => toAmount(totalCostMicros),
  evaluation: ({ evaluation }) => evaluation,
  variables: ({ variables }) => variables,
  transcript: ({ transcript }) => transcript,
};
