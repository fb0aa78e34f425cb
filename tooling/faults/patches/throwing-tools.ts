/** Planted defect for `fuzz`: createTool throws when the account has created a tool before. */
import 'reflect-metadata';
import type { CreateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const { createTool } = ToolsService.prototype;
const known = new Set<number>();

ToolsService.prototype.createTool = async function (userId: number, dto: CreateToolDto) {
  if (known.has(userId)) throw new TypeError('planted');
  const created = await createTool.call(this, userId, dto);
  known.add(userId);
  return created;
};
