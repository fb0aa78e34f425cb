import { PartialType } from '@nestjs/swagger';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { CreateToolDto } from './create-tool.dto.js';

/** Absent keeps; null is refused; `headers` and `schema` are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateToolDto extends PartialType(CreateToolDto, { skipNullProperties: false }) {}
