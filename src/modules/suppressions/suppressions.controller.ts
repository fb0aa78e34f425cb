import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { CreateSuppressionDto, SuppressionResponse } from './dto/suppression.dto.js';
import { SuppressionNotFound } from './suppressions.errors.js';
import { SuppressionsService } from './suppressions.service.js';

@ApiResource('Suppressions')
@Controller('user/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSuppressions',
    summary: 'All numbers that are never dialled, newest first',
  })
  @ApiOkResponse({ type: [SuppressionResponse] })
  list(@UserId() userId: number) {
    return this.suppressions.listSuppressions(userId);
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
