import { Module } from '@nestjs/common';
import { AuthModule } from '#src/auth/auth.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  imports: [AccountsModule, AuthModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService],
})
export class ApiKeysModule {}
