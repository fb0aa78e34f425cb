import { Injectable, Logger } from '@nestjs/common';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallProgress } from '../calls/call-progress.service.js';
import type { CallView } from '../calls/call.view.js';
import { Carrier } from '../telephony/carrier.js';
import { CarrierError } from '../telephony/carrier.error.js';

/** A machine answered: the process that hears of it ends the call, whichever one holds the conversation. */
@Injectable()
export class Voicemail {
  private readonly logger = new Logger(Voicemail.name);

  constructor(
    private readonly assistants: AssistantsService,
    private readonly progress: CallProgress,
    private readonly carrier: Carrier,
  ) {}

  async detected(call: CallView): Promise<void> {
    const assistant = await this.assistants.view(call.accountId, call.assistantId);
    if (!assistant?.endCallOnVoicemail || !call.carrierSid) return;
    await this.progress.conclude(call.id, 'system', 'voicemail');
    try {
      await this.carrier.endCall(call.carrierSid);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Call ${call.id} could not be ended yet; the watchdog will`);
    }
  }
}
