import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { Carrier } from './carrier.js';
import { CarrierBreakerService } from './carrier-breaker.service.js';
import { CarrierGatewayService } from './carrier-gateway.service.js';
import { CarrierRateService } from './carrier-rate.service.js';
import { CarrierBreaker, CarrierRate } from './entities/carrier-limits.entity.js';
import { TelephonySettings } from './telephony-settings.js';
import { CarrierSocketService } from './twilio/carrier-socket.service.js';
import { TwilioCallbacksController } from './twilio/twilio-callbacks.controller.js';
import { TwilioCallbacksService } from './twilio/twilio-callbacks.service.js';
import { TwilioCarrierService } from './twilio/twilio-carrier.service.js';
import { TwilioSignatureService } from './twilio/twilio-signature.service.js';
import { TwilioUrlsService } from './twilio/twilio-urls.service.js';

/** The carrier's adapter, for requests only: what the operator's commands need. */
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
    { provide: Carrier, useClass: TwilioCarrierService },
    TwilioUrlsService,
  ],
  exports: [Carrier, TelephonySettings, TwilioUrlsService],
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
    TwilioCallbacksService,
    TwilioSignatureService,
    CarrierSocketService,
  ],
  exports: [CarrierModule, CarrierBreakerService, CarrierRateService, CarrierGatewayService],
})
export class TelephonyModule {}
