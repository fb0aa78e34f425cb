import { Controller, Get, Query } from '@nestjs/common';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListModelsDto, ListProvidersDto, ListVoicesDto } from './dto/catalog.dto.js';
import {
  LanguageModelResponse,
  LanguageResponse,
  ProviderResponse,
  VoiceResponse,
} from './dto/catalog.response.js';

@ApiResource('Assistants')
// Some clients write the singular.
@Controller(['user/assistants', 'user/assistant'])
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('languages')
  @Endpoint({ summary: 'Languages that assistants speak', body: [LanguageResponse] })
  listLanguages(): Promise<LanguageResponse[]> {
    return this.catalog.languages();
  }

  @Get('models')
  @Endpoint({ summary: 'Language models that assistants think with', body: [LanguageModelResponse] })
  listModels(@Query() { type }: ListModelsDto): Promise<LanguageModelResponse[]> {
    return this.catalog.models(type);
  }

  @Get('voices')
  @Endpoint({ summary: 'Voices that assistants speak with', body: [VoiceResponse] })
  listVoices(@Query() query: ListVoicesDto): Promise<VoiceResponse[]> {
    return this.catalog.voices(query);
  }

  @Get('synthesizer-providers')
  @Endpoint({
    summary: 'Values of `synthesizer_provider_id`: who speaks on audio lines',
    body: [ProviderResponse],
  })
  listSynthesizerProviders(@Query() query: ListProvidersDto): Promise<ProviderResponse[]> {
    return this.catalog.providers('synthesizer', query);
  }

  @Get('transcriber-providers')
  @Endpoint({
    summary: 'Values of `transcriber_provider_id`: who transcribes on audio lines',
    body: [ProviderResponse],
  })
  listTranscriberProviders(@Query() query: ListProvidersDto): Promise<ProviderResponse[]> {
    return this.catalog.providers('transcriber', query);
  }
}
