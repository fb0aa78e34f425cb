import type { Schemas } from '#console/api/client';
import { upload, type Upload } from '#console/api/upload';

export type ImportReport = Schemas['ImportReportResponse'];

export interface ImportRequest extends Pick<Upload, 'key' | 'signal' | 'onSent'> {
  content: Blob;
  name: string;
  campaignId: number;
  allowsDuplicates: boolean;
  /** Nothing is stored. */
  isDryRun: boolean;
}

/** As forms have it. */
const flag = (value: boolean): string => (value ? '1' : '0');

/** The most that the service lists. */
const MOST_ERRORS = 10_000;

/** @throws ApiError */
export function sendFile({ key, signal, onSent, ...request }: ImportRequest): Promise<ImportReport> {
  const form = new FormData();
  form.set('campaign_id', String(request.campaignId));
  form.set('allow_dupplicate', flag(request.allowsDuplicates));
  form.set('dry_run', flag(request.isDryRun));
  form.set('max_errors', String(MOST_ERRORS));
  form.set('file', request.content, request.name);
  return upload({ path: '/user/leads/import', form, key, signal, onSent });
}
