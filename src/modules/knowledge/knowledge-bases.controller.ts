import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import type { Page } from '#src/http/pagination/page.js';
import { PathId } from '#src/http/path-id.js';
import { CreateKnowledgeBaseDto, UpdateKnowledgeBaseDto } from './dto/knowledge-base-input.dto.js';
import {
  CountedKnowledgeBaseResponse,
  KnowledgeBaseListResponse,
  KnowledgeBaseResponse,
} from './dto/knowledge-base.response.js';
import { SearchKnowledgeDto } from './dto/search.dto.js';
import { SearchResponse } from './dto/search.response.js';
import { ListUnansweredDto, UnansweredResponse } from './dto/unanswered.dto.js';
import { KnowledgeBaseNotFound } from './knowledge.errors.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';

@ApiResource('Knowledge bases')
@Controller('user/knowledgebases')
export class KnowledgeBasesController {
  constructor(private readonly bases: KnowledgeBasesService) {}

  @Get()
  @Endpoint({ summary: 'All knowledge bases, newest first', body: KnowledgeBaseListResponse })
  async listKnowledgebases(@UserId() userId: number): Promise<KnowledgeBaseListResponse> {
    return { data: await this.bases.listBases(userId) };
  }

  @Post()
  @Endpoint({
    summary: 'Create a knowledge base',
    status: 201,
    message: true,
    data: KnowledgeBaseResponse,
    failure: 'Failed to create knowledgebase. Please try again.',
  })
  async createKnowledgebase(
    @UserId() userId: number,
    @Body() dto: CreateKnowledgeBaseDto,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<KnowledgeBaseResponse>> {
    return {
      message: 'Knowledgebase created successfully.',
      data: await this.bases.createBase(userId, dto, key),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One knowledge base', data: CountedKnowledgeBaseResponse })
  async getKnowledgebase(
    @UserId() userId: number,
    @PathId(KnowledgeBaseNotFound) id: number,
  ): Promise<DataResult<CountedKnowledgeBaseResponse>> {
    return { data: await this.bases.getBase(userId, id) };
  }

  @Post(':id/search')
  @Endpoint({
    summary: 'The passages of a knowledge base that fit a question best',
    body: SearchResponse,
    scope: 'read',
  })
  async searchKnowledgebase(
    @UserId() userId: number,
    @PathId(KnowledgeBaseNotFound) id: number,
    @Body() dto: SearchKnowledgeDto,
  ): Promise<SearchResponse> {
    return { data: await this.bases.searchBase(userId, id, dto) };
  }

  @Get(':id/unanswered')
  @Endpoint({
    summary: 'Questions of conversations that no document answered, the last asked first',
    page: UnansweredResponse,
  })
  listUnanswered(
    @UserId() userId: number,
    @PathId(KnowledgeBaseNotFound) id: number,
    @Query() query: ListUnansweredDto,
  ): Promise<Page<UnansweredResponse>> {
    return this.bases.listUnanswered(userId, id, query);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update the given fields of a knowledge base',
    message: true,
    data: KnowledgeBaseResponse,
  })
  async updateKnowledgebase(
    @UserId() userId: number,
    @PathId(KnowledgeBaseNotFound) id: number,
    @Body() dto: UpdateKnowledgeBaseDto,
  ): Promise<MessageAndData<KnowledgeBaseResponse>> {
    return {
      message: 'Knowledgebase updated successfully.',
      data: await this.bases.updateBase(userId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete a knowledge base with its documents; assistants stay, without it' })
  async deleteKnowledgebase(
    @UserId() userId: number,
    @PathId(KnowledgeBaseNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.bases.deleteBase(userId, id);
    return { message: 'Knowledgebase deleted successfully.' };
  }
}
