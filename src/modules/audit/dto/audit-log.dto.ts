import { OmitType } from '@nestjs/swagger';
import type { Actor } from '#src/common/work-context.js';
import { EnumField, IdField, TextField } from '#src/common/validation/fields.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import { pageQuery } from '#src/http/pagination/page.js';
import { ACTOR_TYPES, AUDIT_ACTIONS, AUDIT_RESOURCES, type AuditAction } from '../audit.types.js';

export class ListAuditLogDto extends pageQuery() {
  @EnumField(ACTOR_TYPES, {
    required: false,
    description: '`key`: an API key; `cli`: an operator; `link`: a signed link to a recording; `system`.',
  })
  actor?: Actor['type'];

  @IdField({ required: false, description: 'What this API key did.' })
  key_id?: number;

  @EnumField(AUDIT_ACTIONS, { required: false })
  action?: AuditAction;

  @EnumField(AUDIT_RESOURCES, { required: false })
  resource_type?: string;

  @TextField({
    required: false,
    max: 64,
    example: '12',
    description: 'Id or uuid; with `resource_type` one resource.',
  })
  resource_id?: string;

  @DayField({ required: false, description: 'Entries from this day on.' })
  date_from?: string;

  @DayField({ required: false, description: 'Entries until the end of this day.' })
  date_to?: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}

export class ExportAuditLogDto extends OmitType(ListAuditLogDto, ['page', 'per_page']) {}
