import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DomainEventsService } from './domain-events.service.js';
import { EventListenersService } from './event-listeners.service.js';
import { EventRelayService } from './event-relay.service.js';
import { EventsRepository } from './events.repository.js';
import { EventNotifierService } from './event-notifier.service.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    DomainEventsService,
    EventListenersService,
    EventRelayService,
    EventsRepository,
    EventNotifierService,
  ],
  exports: [DomainEventsService],
})
export class EventsModule {}
