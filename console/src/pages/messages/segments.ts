/** The service's own count: what is shown before sending is what is charged. */
export { countSegments } from '../../../../src/modules/sms/segments/segment-counter';

/** Most UTF-16 units that the API takes. */
export const MOST_UNITS = 300;
