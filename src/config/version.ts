import { readFileSync } from 'node:fs';

/** As in package.json, which stands above `dist`. */
export const serviceVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
