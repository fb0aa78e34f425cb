import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DomainEvents } from './domain-events.js';
import { EventListeners } from './event-listeners.js';
import { EventRelay } from './event-relay.js';
import { EventStore } from './event-store.js';
import { EventWakeUp } from './event-wake-up.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [DomainEvents, EventListeners, EventRelay, EventStore, EventWakeUp],
  exports: [DomainEvents],
})
export class EventsModule {}
