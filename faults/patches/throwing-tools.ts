/** Fails on a tool whose description is a single word: a defect that `fuzz` must notice. */
import 'reflect-metadata';
import type { CreateToolDto } from '#src/modules/tools/dto/create-tool.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const { create } = ToolsService.prototype;

ToolsService.prototype.create = async function (userId: number, dto: CreateToolDto) {
  if (!dto.description.includes(' ')) throw new TypeError('planted');
  return create.call(this, userId, dto);
};
