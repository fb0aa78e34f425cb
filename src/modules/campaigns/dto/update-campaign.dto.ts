import { PartialType } from '@nestjs/swagger';
import { CreateCampaignDto } from './create-campaign.dto.js';

/** Absent keeps; null clears `goal_completion_variable` and is refused elsewhere; lists are replaced whole. */
export class UpdateCampaignDto extends PartialType(CreateCampaignDto, { skipNullProperties: false }) {}
