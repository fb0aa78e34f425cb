import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery, secretOf } from '../factories/webhook.js';
import { Receiver, type Received } from '../support/receiver.js';

/** What each language needs around the page's snippet: a delivery comes in by standard input. */
interface Language {
  command: string[];
  file: string;
  before?: string;
  /** Prints `true` or `false`. */
  after: string;
}

const LANGUAGES: Record<string, Language> = {
  js: {
    command: [process.execPath],
    file: 'verify.mjs',
    after: `
import { readFileSync } from 'node:fs';
const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'));
console.log(String(verify(secret, headers, body)));`,
  },
  python: {
    command: ['python3'],
    file: 'verify.py',
    after: `
import json, sys
given = json.loads(sys.stdin.buffer.read().decode())
print(str(verify(given["secret"], given["headers"], given["body"].encode())).lower())`,
  },
  php: {
    command: ['php'],
    file: 'verify.php',
    before: '<?php\n',
    after: `
$given = json_decode(stream_get_contents(STDIN), true);
echo verify($given['secret'], $given['headers'], $given['body']) ? 'true' : 'false';`,
  },
  ruby: {
    command: ['ruby'],
    file: 'verify.rb',
    after: `
require 'json'
given = JSON.parse($stdin.read)
puts verify(given['secret'], given['headers'], given['body'])`,
  },
  go: {
    command: ['go', 'run'],
    file: 'verify.go',
    after: `
func main() {
	var given struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	fmt.Println(verify(given.Secret, given.Headers, []byte(given.Body)))
}`,
  },
};
const GO_IMPORTS = '\n\t"encoding/json"\n\t"fmt"\n\t"os"';

const page = readFileSync('docs/use/webhooks.md', 'utf8');
const isInstalled = ([command = '']: string[]): boolean =>
  spawnSync(command, [command === 'go' ? 'version' : '--version']).error === undefined;

function programOf(name: string, { before = '', after }: Language): string {
  const [, snippet] = new RegExp('```' + name + '\\n([\\s\\S]*?)```').exec(page) ?? [];
  if (!snippet) throw new Error(`docs/use/webhooks.md has no snippet in ${name}`);
  return before + (name === 'go' ? snippet.replace('import (', `import (${GO_IMPORTS}`) : snippet) + after;
}

describe('the snippets of docs/use/webhooks.md', () => {
  let directory: string;
  let secret: string;
  let received: Received;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'calls-snippets-'));
    const [user, receiver] = await Promise.all([anAccount(), Receiver.open()]);
    const variables = { greeting: 'Grüße 👋\n' };
    const webhook = { is_webhook_active: true, webhook_url: receiver.url, variables };
    const assistantId = await anAssistant(user, webhook);
    await user.client.post('/user/webhook-secret/rotate');
    secret = await secretOf(user);
    await user.client.post('/user/webhook-secret/rotate');
    await aTestDelivery(user, assistantId);
    await receiver.close();
    received = receiver.received[0] as Received;
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(Object.entries(LANGUAGES))(
    '%s verifies a real delivery, and refuses a changed one',
    (name, language) => {
      const program = join(directory, language.file);
      writeFileSync(program, programOf(name, language));
      if (!isInstalled(language.command)) {
        process.stdout.write(`${language.command[0]} is not installed: its snippet was not run\n`);
        return;
      }
      const [command = '', ...args] = language.command;
      const verify = (headers: object, body: string): string => {
        const input = JSON.stringify({ secret, headers: { ...received.headers, ...headers }, body });
        return execFileSync(command, [...args, program], { input })
          .toString()
          .trim();
      };
      const old = String(Math.floor(Date.now() / 1000) - 301);
      expect(verify({}, received.text)).toBe('true');
      expect(verify({}, `${received.text} `)).toBe('false');
      expect(verify({ 'webhook-id': 'msg_other' }, received.text)).toBe('false');
      expect(verify({ 'webhook-timestamp': old }, received.text)).toBe('false');
    },
  );
});
