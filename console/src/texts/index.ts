import { en } from './en';

/** Another language is a folder like `en/`, checked against this type. */
export type Texts = typeof en;

export const t: Texts = en;
