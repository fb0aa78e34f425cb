import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const LIST = 'src/app/mantine-styles.ts';
/** What Mantine makes of the style sheet of a component. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const IMPORTS = /styles\/([A-Z]\w+)\.css'/g;

/** Fails the build where `mantine-styles.ts` does not name the components that the bundle has. */
export function checkStyles(root: string): Plugin {
  return {
    name: 'check-styles',
    apply: 'build',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? Object.keys(part.modules) : [],
      );
      const used = new Set(modules.flatMap((id) => CLASS_NAMES.exec(id)?.[1] ?? []));
      const named = new Set(
        [...readFileSync(join(root, LIST), 'utf8').matchAll(IMPORTS)].map(([, name]) => name),
      );
      const missing = [...used].filter((name) => !named.has(name));
      const unused = [...named].filter((name) => name !== undefined && !used.has(name));
      if (missing.length > 0) this.error(`${LIST} lacks the styles of ${missing.join(', ')}`);
      if (unused.length > 0)
        this.error(`${LIST} has styles of components that are not used: ${unused.join(', ')}`);
    },
  };
}
