/** Digits at the end that stay. */
const SHOWN = 2;

/** An E.164 number in a form that tells who has it from nobody else: `+14155550123` is `+*********23`. */
export const maskNumber = (phoneNumber: string): string =>
  `+${'*'.repeat(Math.max(0, phoneNumber.length - 1 - SHOWN))}${phoneNumber.slice(-SHOWN)}`;
