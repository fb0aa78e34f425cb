import { Injectable } from '@nestjs/common';
import { CatalogService } from '../catalog/catalog.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { ToolsService } from '../tools/tools.service.js';
import { toColumns } from './assistant-columns.js';
import type { AssistantDraft } from './assistant-draft.js';
import type { UpdateAssistantDto } from './dto/update-assistant.dto.js';
import { fillersOf } from './filler-phrases.js';

/** Looks up what a request names: voice, language, model, phone number, tools. */
@Injectable()
export class AssistantDrafts {
  constructor(
    private readonly catalog: CatalogService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly tools: ToolsService,
  ) {}

  async read(userId: number, dto: UpdateAssistantDto): Promise<AssistantDraft> {
    const toolIds = dto.tool_ids && [...new Set(dto.tool_ids)];
    const [catalog, hasNumber, hasTools] = await Promise.all([
      this.catalog.catalog(),
      this.hasNumber(userId, dto.phone_number_id),
      this.hasTools(userId, toolIds),
    ]);
    const columns = toColumns(dto);
    const unknown: string[] = [];
    if (dto.voice_id !== undefined) {
      if (catalog.voice(dto.voice_id)) columns.voiceId = dto.voice_id;
      else unknown.push('voice_id');
    }
    if (dto.language !== undefined) {
      const language = catalog.language(dto.language);
      // Nobody can set the fillers by themselves: they go with the language.
      if (language)
        Object.assign(columns, { languageId: language.id, fillerConfig: fillersOf(language.iso2) });
      else unknown.push('language');
    }
    if (dto.llm_model !== undefined) {
      const model = catalog.model(dto.llm_model);
      if (model) columns.llmModelId = model.id;
      else unknown.push('llm_model');
    }
    if (!hasNumber) unknown.push('phone_number_id');
    if (!hasTools) unknown.push('tool_ids');
    return { columns, toolIds, unknown, modelMode: (id) => catalog.model(id)?.mode };
  }

  private async hasNumber(userId: number, id: number | null | undefined): Promise<boolean> {
    return !id || (await this.phoneNumbers.find(userId, id)) !== null;
  }

  private async hasTools(userId: number, ids: number[] = []): Promise<boolean> {
    return (await this.tools.findMany(userId, ids)).length === ids.length;
  }
}
