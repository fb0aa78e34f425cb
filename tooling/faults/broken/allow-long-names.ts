/** Planted defect: a name of a tool may be longer than the OpenAPI document allows. */
import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { CreateToolDto, UpdateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';

// The decorators of the DTO have run: a rule is removed from their metadata.
for (const dto of [CreateToolDto, UpdateToolDto]) {
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    if (rule.propertyName === 'name' && rule.name === 'maxLength') rule.constraints = [Infinity];
  }
}
