import { readFileSync } from 'node:fs';

/** The version in package.json, which is above `dist`. */
export const serviceVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
