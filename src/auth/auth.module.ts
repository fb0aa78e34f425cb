import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessTokensService } from './access-tokens.service.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { AccessToken } from './entities/access-token.entity.js';
import { TokenUsageService } from './token-usage.service.js';

@Module({
  imports: [PassportModule, TypeOrmModule.forFeature([AccessToken])],
  providers: [
    AccessTokensService,
    TokenUsageService,
    BearerStrategy,
    BearerGuard,
    { provide: APP_GUARD, useExisting: BearerGuard },
  ],
  exports: [AccessTokensService],
})
export class AuthModule {}
