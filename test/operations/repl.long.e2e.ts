import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { databaseOfTheService } from '../support/secrets.js';

it("uses the application's services beside the running service, and closes them at the end", async () => {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['dist/src/cli/repl.js'], {
    env: { PATH, HOME, ...databaseOfTheService() },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end("(await get(PlansService).findPlan('standard')).name.toUpperCase()\n");
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await exited, problem]).toEqual([0, '']);
  expect(output).toContain("'STANDARD'");
});
