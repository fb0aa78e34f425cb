import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { basePath } from './html.js';

export const INDEX_FILE = 'index.html';

@Injectable()
export class ConsoleFilesService {
  /** The built files of `console/`. */
  readonly folder: string = fileURLToPath(new URL('../../console', import.meta.url));

  constructor(private readonly settings: RuntimeSettings) {}

  isBuilt(): boolean {
    return existsSync(join(this.folder, INDEX_FILE));
  }

  /** Read each time: a new build has other assets. @returns null: the console is not built */
  async readPage(): Promise<string | null> {
    const built = await readFile(join(this.folder, INDEX_FILE), 'utf8').catch(() => null);
    const { publicUrl, apiPrefix } = this.settings.http;
    const base = basePath(publicUrl);
    const head = `<head>
    <base href="${base}console/">
    <meta name="api-base" content="${base.slice(0, -1)}${apiPrefix}">`;
    return built && built.replace('<head>', () => head);
  }
}
