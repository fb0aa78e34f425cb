import { Module } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { Carrier } from './carrier.js';
import { CarrierGateway } from './carrier-gateway.js';
import { TelephonySettings } from './telephony-settings.js';
import { RelaySocket } from './twilio/relay-socket.js';
import { TwilioCallbacksController } from './twilio/twilio-callbacks.controller.js';
import { TwilioCallbacks } from './twilio/twilio-callbacks.service.js';
import { TwilioCarrier } from './twilio/twilio-carrier.js';
import { TwilioSignature } from './twilio/twilio-signature.js';
import { TwilioUrls } from './twilio/twilio-urls.js';

/** Wires the carrier's adapter. */
@Module({
  controllers: [TwilioCallbacksController],
  providers: [
    {
      provide: TelephonySettings,
      inject: [RuntimeSettings],
      useFactory: ({ carrier, http }: RuntimeSettings): TelephonySettings => ({
        ...carrier,
        publicUrl: http.publicUrl,
      }),
    },
    CarrierGateway,
    { provide: Carrier, useClass: TwilioCarrier },
    TwilioCallbacks,
    TwilioSignature,
    TwilioUrls,
    RelaySocket,
  ],
  exports: [Carrier, CarrierGateway],
})
export class TelephonyModule {}
