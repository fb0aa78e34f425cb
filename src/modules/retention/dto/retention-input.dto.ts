import { UpdateType } from '#src/common/validation/update-type.js';
import { AccountRetention } from '../retention-fields.js';

export class UpdateRetentionDto extends UpdateType(AccountRetention) {}
