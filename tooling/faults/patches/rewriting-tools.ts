/** Planted defect for `clients`: every update of a tool sets its timeout. */
import 'reflect-metadata';
import type { UpdateToolDto } from '#src/modules/tools/dto/tool-input.dto.js';
import { ToolsService } from '#src/modules/tools/tools.service.js';

const { updateTool } = ToolsService.prototype;

ToolsService.prototype.updateTool = async function (userId: number, id: number, dto: UpdateToolDto) {
  return updateTool.call(this, userId, id, { ...dto, timeout: 30 });
};
