import { rmSync } from 'node:fs';

export default async function tearDown(): Promise<void> {
  globalThis.commandServer?.close();
  // Not with E2E_BASE_URL: then no service was started.
  if (!globalThis.testService) return;
  await globalThis.testService.stop();
  rmSync(process.env.E2E_DATA_DIR ?? '', { recursive: true, force: true });
}
