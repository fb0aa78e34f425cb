import { pageQuery } from '#src/http/pagination/page.js';
import { EnumField, TextField } from '#src/common/validation/fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { GROUP_COLORS, type GroupColor } from '../group.types.js';

export class ListGroupsDto extends pageQuery() {}

export class CreateGroupDto {
  @TextField({ max: 255, description: 'Of one folder, and of one label, of the account.', example: 'Sales' })
  name: string;

  @EnumField(GROUP_COLORS, { required: false, default: 'gray' })
  color?: GroupColor;
}

/** Absent keeps; null is refused. */
export class UpdateGroupDto extends UpdateType(CreateGroupDto) {}
