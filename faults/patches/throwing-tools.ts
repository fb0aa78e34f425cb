/** Planted defect for `fuzz`: createTool throws when the description has a single word. */
import 'reflect-metadata';
import type { CreateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const { createTool } = ToolsService.prototype;

ToolsService.prototype.createTool = async function (userId: number, dto: CreateToolDto) {
  if (!dto.description.includes(' ')) throw new TypeError('planted');
  return createTool.call(this, userId, dto);
};
