import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { withoutInlineScripts } from './build-docs.mjs';

type Move = (html: string, write: (name: string, code: string) => void) => string;

describe('npm run docs', () => {
  it('moves inline scripts into files, which the content security policy allows', () => {
    const written: [string, string][] = [];
    const html =
      '<script type="module" src="/guide/assets/app.js"></script><script id="theme">let dark;</script><script>let a;\nlet b;</script>';
    const moved = (withoutInlineScripts as Move)(html, (...file) => written.push(file));
    expect(written.map(([, code]) => code)).toEqual(['let dark;', 'let a;\nlet b;']);
    const [theme = '', other = ''] = written.map(([name]) => name);
    expect(moved).toBe(
      `<script type="module" src="/guide/assets/app.js"></script><script id="theme" src="/guide/${theme}"></script><script src="/guide/${other}"></script>`,
    );
  });
});
