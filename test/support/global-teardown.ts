import { rmSync } from 'node:fs';

export default async function tearDown(): Promise<void> {
  globalThis.commandServer?.close();
  const { testService } = globalThis;
  // Not with E2E_BASE_URL: then no service was started.
  if (!testService) return;
  globalThis.testService = undefined;
  await testService.stop();
  await globalThis.testSandbox?.stop();
  rmSync(process.env.E2E_DATA_DIR ?? '', { recursive: true, force: true });
}
