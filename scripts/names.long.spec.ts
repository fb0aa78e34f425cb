import { describe, expect, it } from '@jest/globals';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import * as names from './names.mjs';

type File = { path: string; text: string };
const { nameIndex } = names as unknown as { nameIndex: (files: File[]) => string };

const TEXT = `
export class Calls { run() {} get open() { return 1; } private hide() {} #hidden() {} field = 1; }
export interface Line { say(text: string): void; text: string }
export function start() {}
export const LIMIT = 1;
export type Kind = 'a';
class Local { inside() {} }
`;

describe('npm run docs:names', () => {
  it('lists by folder what files export, and the public methods of classes', () => {
    const files = ['src/a/calls.ts', 'src/b/calls.ts'].map((path) => ({ path, text: TEXT }));
    const lines = [
      '  class Calls: run, open  (calls.ts)',
      '  interface Line: say  (calls.ts)',
      '  function start  (calls.ts)',
      '  const LIMIT  (calls.ts)',
      '  type Kind  (calls.ts)',
    ];
    expect(nameIndex(files).trim().split('\n')).toEqual(['src/a', ...lines, '', 'src/b', ...lines]);
  });
});
