import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { TokenGrant, TokenUser } from '#src/auth/access-tokens.service.js';
import { RequestGrant, RequestTokenUser, UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { MessageAndData, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import { ApiKeyNotFound } from './api-keys.errors.js';
import { ApiKeysService, MAX_KEYS } from './api-keys.service.js';
import { CreateApiKeyDto, UpdateApiKeyDto } from './dto/api-key-input.dto.js';
import { ApiKeyResponse, ApiKeysResponse, CreatedApiKeyResponse } from './dto/api-key.response.js';

@ApiResource('API keys')
@Controller('user/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Endpoint({
    summary: 'The API keys of the account, newest first',
    description: 'Expired keys are listed until they are deleted. No token is shown.',
    body: ApiKeysResponse,
    scope: 'admin',
  })
  listApiKeys(@UserId() userId: number): Promise<ApiKeysResponse> {
    return this.keys.listKeys(userId);
  }

  @Post()
  @Endpoint({
    summary: 'Create an API key; its token is shown once',
    description: `At most ${MAX_KEYS} that have not expired; one more is a 422 without \`errors\`. Keys that a key has created stay when it is deleted.`,
    status: 201,
    body: CreatedApiKeyResponse,
    scope: 'admin',
    shownOnce: { token: undefined },
  })
  createApiKey(
    @RequestGrant() creator: TokenGrant,
    @Body() dto: CreateApiKeyDto,
  ): Promise<CreatedApiKeyResponse> {
    return this.keys.createKey(creator, dto);
  }

  @Put(':id')
  @Endpoint({
    summary: 'Change an API key: its name, the addresses that may use it, its spend limit',
    description:
      'From the next request on; its event streams from other addresses end within seconds. A key neither shuts out the address of its request nor raises its own `spend_limit_per_hour`; another key with `admin` can.',
    message: true,
    data: ApiKeyResponse,
    scope: 'admin',
  })
  async updateApiKey(
    @RequestGrant() user: TokenGrant,
    @RequestTokenUser() { address }: TokenUser,
    @PathId(ApiKeyNotFound) id: number,
    @Body() dto: UpdateApiKeyDto,
  ): Promise<MessageAndData<ApiKeyResponse>> {
    return {
      message: 'API key updated successfully',
      data: await this.keys.updateKey(user, address, id, dto),
    };
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Revoke an API key, also the one of the request',
    description: 'From the next request on its token is a 401; its event streams end within seconds.',
    scope: 'admin',
  })
  async deleteApiKey(@UserId() userId: number, @PathId(ApiKeyNotFound) id: number): Promise<MessageResponse> {
    await this.keys.deleteKey(userId, id);
    return { message: 'API key deleted successfully' };
  }
}
