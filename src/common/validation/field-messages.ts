import type { ValidationArguments } from 'class-validator';

/** `webhook_url` → `webhook url`. */
export const inWords = (field: string): string => field.replaceAll('_', ' ');

export const requiredMessage = (field: string): string => `The ${inWords(field)} field is required.`;
export const selectedInvalidMessage = (field: string): string => `The selected ${inWords(field)} is invalid.`;
export const fieldMessage = (field: string, rule: string): string => `The ${inWords(field)} field ${rule}.`;

/** A class-validator message `The <field in words> field <rule>.` */
export const says =
  (rule: string) =>
  (args: ValidationArguments): string =>
    fieldMessage(args.property, rule);

export const saysSelectedInvalid = (args: ValidationArguments): string =>
  selectedInvalidMessage(args.property);
