import { rmSync } from 'node:fs';

export default async function tearDown(): Promise<void> {
  // Only what was set up here.
  if (!globalThis.testService) return;
  await globalThis.testService.stop();
  rmSync(process.env.E2E_DATA_DIR ?? '', { recursive: true, force: true });
}
