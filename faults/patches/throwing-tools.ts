/** Planted defect for `fuzz`: every second createTool throws. */
import 'reflect-metadata';
import type { CreateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const { createTool } = ToolsService.prototype;
let count = 0;

ToolsService.prototype.createTool = async function (userId: number, dto: CreateToolDto) {
  if (++count % 2 === 0) throw new TypeError('planted');
  return createTool.call(this, userId, dto);
};
