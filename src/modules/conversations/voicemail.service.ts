import { Injectable, Logger } from '@nestjs/common';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallStateService } from '../calls/call-state.service.js';
import type { CallView } from '../calls/call.view.js';
import { Carrier, CarrierError } from '../telephony/carrier.js';

/** Ends a call that a machine answered, in the process that gets the report, wherever the conversation runs. */
@Injectable()
export class VoicemailService {
  private readonly logger = new Logger(VoicemailService.name);

  constructor(
    private readonly assistants: AssistantsService,
    private readonly callState: CallStateService,
    private readonly carrier: Carrier,
  ) {}

  async onMachineDetected(call: CallView): Promise<void> {
    const assistant = await this.assistants.assistantView(call.accountId, call.assistantId);
    if (!assistant?.endCallOnVoicemail || !call.carrierSid) return;
    await this.callState.markEnded(call.id, 'system', 'voicemail');
    try {
      await this.carrier.endCall(call.carrierSid);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`Call ${call.id} could not be ended yet; call reconciliation will end it`);
    }
  }
}
