import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { EVENT_LISTENER, type DomainEvent } from './event-type.js';

type Listener = (event: DomainEvent) => Promise<void>;

/** Finds the methods marked with `@OnDomainEvent`. */
@Injectable()
export class EventListenersService {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  listenersOf(): Map<string, Listener[]> {
    const found = new Map<string, Listener[]>();
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, Listener>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const method = methods[name];
        const kind = method && this.reflector.get<string | undefined>(EVENT_LISTENER, method);
        if (method && kind) found.set(kind, [...(found.get(kind) ?? []), method.bind(instance)]);
      }
    }
    return found;
  }
}
