/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { turnModelBytes } from '#src/modules/speech/end-of-turn/turn-model-file.fake.js';
import { checkTurnModel } from './check-turn-model.js';

let path: string;
beforeAll(() => void (path = join(mkdtempSync(join(tmpdir(), 'turn-model-')), 'turn.onnx')));
afterAll(() => rmSync(join(path, '..'), { recursive: true }));

describe('checkTurnModel', () => {
  it('tells how long the model takes', async () => {
    writeFileSync(path, turnModelBytes());
    const [finding] = await checkTurnModel({ turnModel: path });
    expect(finding).toMatchObject({
      name: 'end-of-turn model',
      what: expect.stringMatching(/^answers after \d+ ms$/),
    });
  });

  it('fails for a file that does not fit', async () => {
    writeFileSync(path, turnModelBytes({ shape: [1, 80, 800] }));
    const [finding] = await checkTurnModel({ turnModel: path });
    expect(finding).toMatchObject({ state: 'fail', what: expect.stringContaining('must have one input') });
  });

  it('checks nothing without the setting', async () => {
    expect(await checkTurnModel({ turnModel: null })).toEqual([]);
  });
});
