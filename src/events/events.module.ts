import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainEventRecord } from './domain-event.entity.js';
import { DomainEventsService } from './domain-events.service.js';
import { EventListenersService, EventRelayService } from './event-relay.service.js';
import { EventsRepository } from './events.repository.js';
import { PendingEventsService } from './pending-events.service.js';
import { EventNotifierService } from './event-notifier.service.js';

@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([DomainEventRecord])],
  providers: [
    DomainEventsService,
    EventListenersService,
    EventRelayService,
    EventsRepository,
    PendingEventsService,
    EventNotifierService,
  ],
  exports: [DomainEventsService, PendingEventsService],
})
export class EventsModule {}
