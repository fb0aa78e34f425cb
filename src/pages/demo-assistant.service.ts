import { Injectable } from '@nestjs/common';

/** The assistant that the service's own page offers to talk to. */
@Injectable()
export class DemoAssistantService {
  /** Null: there is none. Set before the service listens. */
  uuid: string | null = null;
}
