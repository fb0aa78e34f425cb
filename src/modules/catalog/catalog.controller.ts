import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiInvalid, ApiResource } from '#src/common/http/api-docs.js';
import { CatalogService } from './catalog.service.js';
import {
  LanguageModelResponse,
  LanguageResponse,
  ListModelsDto,
  ListVoicesDto,
  VoiceResponse,
} from './dto/catalog.dto.js';

@ApiResource('Assistants')
@Controller('user/assistants')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('languages')
  @ApiOperation({ operationId: 'listLanguages', summary: 'Languages that assistants speak' })
  @ApiOkResponse({ type: [LanguageResponse] })
  languages() {
    return this.catalog.languages();
  }

  @Get('models')
  @ApiOperation({ operationId: 'listModels', summary: 'Language models that assistants think with' })
  @ApiOkResponse({ type: [LanguageModelResponse] })
  @ApiInvalid()
  models(@Query() { mode }: ListModelsDto) {
    return this.catalog.models(mode);
  }

  @Get('voices')
  @ApiOperation({ operationId: 'listVoices', summary: 'Voices that assistants speak with' })
  @ApiOkResponse({ type: [VoiceResponse] })
  @ApiInvalid()
  voices(@Query() query: ListVoicesDto) {
    return this.catalog.voices(query);
  }
}
