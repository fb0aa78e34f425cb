import { E164 } from '#src/common/phone/phone.js';

/** `client_phone_number` of a caller who withholds the number. */
export const ANONYMOUS_CALLER = 'anonymous';

/** Whether it can be dialled, suppressed and found: a caller may withhold the number or have a SIP address. */
export const isPhoneNumber = (client: string): boolean => E164.test(client);
