import { E164 } from '#src/common/phone/phone.js';

/** `client_phone_number` of a caller who withholds the number. */
export const ANONYMOUS_CALLER = 'anonymous';

/** Whether the client has a phone number: a caller may withhold it or have a SIP address. */
export const isPhoneNumber = (client: string): boolean => E164.test(client);
