import { IdField } from '#src/common/validation/fields.js';

export const MAX_PREVIEW = 100;

export class PreviewCampaignDto {
  @IdField({ required: false, description: 'Only this lead, whatever its status.' })
  lead_id?: number;
}
