import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { CarrierCalls } from './carrier-calls.js';
import { CarrierMessages } from './carrier-messages.js';
import { CarrierNumbers } from './carrier-numbers.js';
import { CarrierBreakerService } from './carrier-breaker.service.js';
import { CarrierGatewayService } from './carrier-gateway.service.js';
import { CarrierRateService } from './carrier-rate.service.js';
import { CarrierBreaker, CarrierRate } from './entities/carrier-limits.entity.js';
import { TelephonySettings } from './telephony-settings.js';
import { CarrierSocketService } from './twilio/carrier-socket.service.js';
import { TwilioCallbacksController } from './twilio/twilio-callbacks.controller.js';
import { TwilioCarrierService } from './twilio/twilio-carrier.service.js';
import { TwilioSignatureService } from './twilio/twilio-signature.service.js';
import { TwilioUrlsService } from './twilio/twilio-urls.service.js';

/** The carrier's adapter, for requests only, as the operator's commands need it. */
@Module({
  providers: [
    {
      provide: TelephonySettings,
      inject: [RuntimeSettings],
      useFactory: ({ carrier, http }: RuntimeSettings): TelephonySettings => ({
        ...carrier,
        publicUrl: http.publicUrl,
      }),
    },
    TwilioCarrierService,
    { provide: CarrierCalls, useExisting: TwilioCarrierService },
    { provide: CarrierMessages, useExisting: TwilioCarrierService },
    { provide: CarrierNumbers, useExisting: TwilioCarrierService },
    TwilioUrlsService,
  ],
  exports: [CarrierCalls, CarrierMessages, CarrierNumbers, TelephonySettings, TwilioUrlsService],
})
export class CarrierModule {}

/** With the carrier's callbacks and sockets. */
@Module({
  imports: [CarrierModule, TypeOrmModule.forFeature([CarrierBreaker, CarrierRate])],
  controllers: [TwilioCallbacksController],
  providers: [
    CarrierBreakerService,
    CarrierRateService,
    CarrierGatewayService,
    TwilioSignatureService,
    CarrierSocketService,
  ],
  exports: [CarrierModule, CarrierBreakerService, CarrierRateService, CarrierGatewayService],
})
export class TelephonyModule {}
