import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { basePath, HTML_TYPE } from './html.js';

/** The site is built for this path. */
const BUILT_FOR = '/guide/';
const HAS_EXTENSION = /\.[^./]+$/;
const TEXT_TYPES: Record<string, string> = {
  '.html': HTML_TYPE,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

@Injectable()
export class GuideFilesService {
  /** Output of `npm run docs`. */
  readonly folder: string = fileURLToPath(new URL('../../guide', import.meta.url));
  /** Path of the guide, with a slash at its end. */
  readonly base: string;

  constructor({ http }: RuntimeSettings) {
    this.base = `${basePath(http.publicUrl)}guide/`;
  }

  isBuilt(): boolean {
    return existsSync(join(this.folder, 'index.html'));
  }

  /** Addresses of pages have no extension. @returns a name below the folder; null: no such page */
  findFile(path: string): string | null {
    if (HAS_EXTENSION.test(path)) return path;
    const address = path.replace(/\/$/, '');
    const names = address === '' ? ['index.html'] : [`${address}.html`, `${address}/index.html`];
    return names.find((name) => existsSync(join(this.folder, name))) ?? null;
  }

  /** @returns null: the file can be sent as it is built */
  async adaptToBasePath(name: string): Promise<{ type: string; text: string } | null> {
    const type = TEXT_TYPES[extname(name)];
    if (this.base === BUILT_FOR || type === undefined || name.includes('..')) return null;
    const text = await readFile(join(this.folder, name), 'utf8').catch(() => null);
    return text === null ? null : { type, text: text.replaceAll(BUILT_FOR, this.base) };
  }
}
