import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { RequestKeyClaim } from '#src/http/idempotency/keyed-requests.js';
import type { DataResult, MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { AcceptsUpload, UploadPath } from '#src/http/multipart.js';
import type { Page } from '#src/http/pagination/page.js';
import { PathId } from '#src/http/path-id.js';
import { ChunkResponse } from './dto/chunk.response.js';
import { CreateDocumentDto, ListChunksDto, UpdateDocumentDto } from './dto/document-input.dto.js';
import { DocumentListResponse, DocumentResponse } from './dto/document.response.js';
import { DocumentsService } from './documents.service.js';
import { DocumentNotFound, FileNotKept, KnowledgeBaseNotFound } from './knowledge.errors.js';
import { MAX_FILE_MEGABYTES } from './knowledge.types.js';

const BaseId = () => PathId(KnowledgeBaseNotFound, 'knowledgebaseId');

@ApiResource('Knowledge bases')
@Controller('user/knowledgebases/:knowledgebaseId/documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get()
  @Endpoint({ summary: 'All documents of a knowledge base, newest first', body: DocumentListResponse })
  async listDocuments(@UserId() userId: number, @BaseId() baseId: number): Promise<DocumentListResponse> {
    return { data: await this.documents.listDocuments(userId, baseId) };
  }

  @Post()
  @AcceptsUpload({ megabytes: MAX_FILE_MEGABYTES, orJson: true })
  @Endpoint({
    summary: 'Add a document: JSON for a website, a form with the file for the other types',
    status: 201,
    message: true,
    data: DocumentResponse,
    failure: 'Failed to create document. Please try again.',
  })
  async createDocument(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @Body() dto: CreateDocumentDto,
    @UploadPath() upload: string | null,
    @RequestKeyClaim() key: ClaimedKey | null,
  ): Promise<MessageAndData<DocumentResponse>> {
    return {
      message: 'Document created successfully. Processing will begin shortly.',
      data: await this.documents.createDocument(userId, baseId, dto, upload, key),
    };
  }

  @Get(':id')
  @Endpoint({ summary: 'One document', data: DocumentResponse })
  async getDocument(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @PathId(DocumentNotFound) id: number,
  ): Promise<DataResult<DocumentResponse>> {
    return { data: await this.documents.getDocument(userId, baseId, id) };
  }

  @Get(':id/chunks')
  @Endpoint({
    summary: 'The passages of a document that are searched, in reading order',
    page: ChunkResponse,
  })
  listChunks(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @PathId(DocumentNotFound) id: number,
    @Query() query: ListChunksDto,
  ): Promise<Page<ChunkResponse>> {
    return this.documents.listChunks(userId, baseId, id, query);
  }

  @Post(':id/refresh')
  @Endpoint({
    summary: 'Read a website again; what was read before is searched until then',
    message: true,
    data: DocumentResponse,
    errors: [FileNotKept],
  })
  async refreshDocument(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @PathId(DocumentNotFound) id: number,
  ): Promise<MessageAndData<DocumentResponse>> {
    return {
      message: 'Document will be read again shortly.',
      data: await this.documents.refreshDocument(userId, baseId, id),
    };
  }

  @Put(':id')
  @Endpoint({
    summary: 'Update name and description of a document',
    message: true,
    data: DocumentResponse,
  })
  async updateDocument(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @PathId(DocumentNotFound) id: number,
    @Body() dto: UpdateDocumentDto,
  ): Promise<MessageAndData<DocumentResponse>> {
    return {
      message: 'Document updated successfully.',
      data: await this.documents.updateDocument(userId, baseId, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({ summary: 'Delete a document' })
  async deleteDocument(
    @UserId() userId: number,
    @BaseId() baseId: number,
    @PathId(DocumentNotFound) id: number,
  ): Promise<MessageResponse> {
    await this.documents.deleteDocument(userId, baseId, id);
    return { message: 'Document deleted successfully.' };
  }
}
