import type { CarrierMessageStatus } from './carrier-reports.js';

export interface SendSmsRequest {
  from: string;
  to: string;
  body: string;
  token: string;
}

export interface CarrierMessage {
  sid: string;
  from: string;
  to: string;
  body: string;
  status: CarrierMessageStatus;
  createdAt: Date;
}

/** Text messages. Requests throw `CarrierError` and nothing else. */
export abstract class CarrierMessages {
  abstract sendSms(request: SendSmsRequest): Promise<CarrierMessage>;
  /** Messages to one number that were created at or after `since`, newest first. */
  abstract listMessages(to: string, since: Date): Promise<CarrierMessage[]>;
  /** The rest of the message stays. One that the carrier does not have is no error. */
  abstract removeBody(sid: string): Promise<void>;
  /**
   * Removes the carrier's record of a message. One that it does not have is no error.
   *
   * @returns false: the message is still on its way
   */
  abstract deleteMessage(sid: string): Promise<boolean>;
}
