/** What the service says about a field that breaks a rule; the wording is part of the contract. */
const words = (field: string): string => field.replaceAll('_', ' ');
const says = (rule: string) => (field: string) => `The ${words(field)} field ${rule}.`;

export type Text = (field: string) => string;

export const required = says('is required');
export const notText = says('must be a string');
export const notInteger = says('must be an integer');
export const notNumber = says('must be a number');
export const notBoolean = says('must be true or false');
export const notObject = says('must be an object');
export const notList = says('must be an array');
export const noUrl = says('must be a valid URL');
export const noPhone = says('must be a valid phone number');
export const noDay = says('must be a valid date in the format YYYY-MM-DD');
export const noZone = says('must be a valid timezone');
export const tooLong = (max: number): Text => says(`must not be greater than ${max} characters`);
export const tooShort = (min: number): Text => says(`must be at least ${min} characters`);
export const outside = (min: number, max: number): Text => says(`must be between ${min} and ${max}`);
export const selected: Text = (field) => `The selected ${words(field)} is invalid.`;
