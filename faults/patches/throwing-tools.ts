/** Fails on a tool with a long description: a defect that `fuzz` must notice. */
import 'reflect-metadata';
import type { CreateToolDto } from '#src/modules/tools/dto/create-tool.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const LONG = 100;
const { create } = ToolsService.prototype;

ToolsService.prototype.create = async function (userId: number, dto: CreateToolDto) {
  if (dto.description.length > LONG) throw new TypeError('planted');
  return create.call(this, userId, dto);
};
