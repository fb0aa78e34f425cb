import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '#src/database/embedded/private-file.js';

export interface DemoAccount {
  email: string;
  token: string;
  phone_numbers: { id: number; phone_number: string; sms_capable: boolean }[];
  campaign_id: number;
}

/** `DATA_DIR/demo.json`: how to reach a service that is tried out, and as whom. */
export interface DemoFile {
  /** Ends with the API's prefix. */
  base_url: string;
  docs_url: string;
  /** Null: a real carrier is set. */
  sandbox_url: string | null;
  accounts: DemoAccount[];
}

/** Null when there is none, or one that nobody can read any more. */
export function readDemoFile(dataDir: string): DemoFile | null {
  const text = readPrivateFile(pathIn(dataDir));
  if (text === null) return null;
  try {
    return JSON.parse(text) as DemoFile;
  } catch {
    return null;
  }
}

export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  writePrivateFile(pathIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');
