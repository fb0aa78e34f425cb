import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { ApiArrayOrPage } from '#src/common/pagination/page.js';
import { CreateSuppressionDto, ListSuppressionsDto, SuppressionResponse } from './dto/suppression.dto.js';
import { SuppressionNotFound } from './suppressions.errors.js';
import { NEWEST, SuppressionsService } from './suppressions.service.js';

@ApiResource('Suppressions')
@Controller('user/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSuppressions',
    summary: `The newest ${NEWEST} numbers that are never dialled, or one page of all`,
  })
  @ApiArrayOrPage(SuppressionResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListSuppressionsDto) {
    return this.suppressions.listSuppressions(userId, query);
  }

  @Post()
  @HttpCode(200)
  @ResponseMessage('Suppression created successfully')
  @ApiOperation({
    operationId: 'createSuppression',
    summary: 'Never dial a number; repeating it changes nothing',
  })
  @ApiData(ApiOkResponse, SuppressionResponse, { message: true })
  @ApiInvalid()
  create(@UserId() userId: number, @Body() dto: CreateSuppressionDto) {
    return this.suppressions.createSuppression(userId, dto);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Suppression deleted successfully')
  @ApiOperation({ operationId: 'deleteSuppression', summary: 'Allow a number to be dialled again' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Suppression not found')
  delete(@UserId() userId: number, @PathId(SuppressionNotFound) id: number) {
    return this.suppressions.deleteSuppression(userId, id);
  }
}
