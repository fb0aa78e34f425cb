import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { LineOpeningsService } from './line-openings.service.js';
import { UserWebCallsController } from './user-web-calls.controller.js';
import { WebCallBudgetService } from './web-call-budget.service.js';
import { WebCallAccessGuard } from './web-call-access.guard.js';
import { WebCallSocketService } from './web-call-socket.service.js';
import { WebCallsController } from './web-calls.controller.js';
import { WebCallsService } from './web-calls.service.js';
import { WebConversationsService } from './web-conversations.service.js';

@Module({
  imports: [AccountsModule, AssistantsModule, CallsModule, ConversationsModule],
  controllers: [UserWebCallsController, WebCallsController],
  providers: [
    LineOpeningsService,
    WebCallBudgetService,
    WebCallAccessGuard,
    WebCallSocketService,
    WebCallsService,
    WebConversationsService,
  ],
})
export class WebCallsModule {}
