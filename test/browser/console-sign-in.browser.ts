import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import {
  addressOf,
  button,
  ConsoleBench,
  consolePicture,
  ready,
  violations,
  visit,
} from '../support/console-bench.js';

let bench: ConsoleBench;
let account: TestAccount;

beforeAll(async () => {
  bench = await ConsoleBench.start();
  account = await anAccount();
});

afterAll(() => bench.stop());

async function signIn(page: Page, key: string, { isKept = false } = {}): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  if (isKept) await page.getByLabel('Keep me signed in').check();
  await button(page, 'Sign in').click();
}

const storedKeys = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(`[sessionStorage, localStorage].map((store) => store.getItem('console-key'))`);

describe('a person is signed in', () => {
  it('by the link that the service prints, and the key is removed from the address at once', async () => {
    const page = await bench.signedIn(account.token, '/calls?status=failed');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Calls');
    expect(page.url()).toBe(addressOf('/calls?status=failed'));
    expect(await storedKeys(page)).toEqual([account.token, null]);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'by a pasted key, once the service accepts it (%s)',
    async (colorScheme) => {
      const page = await bench.open('/messages', { colorScheme });
      await button(page, 'Sign in').waitFor();
      await consolePicture(page, `sign-in-${colorScheme}`);
      expect(await violations(page)).toEqual([]);
      await signIn(page, 'vac_unknown');
      await page.getByText('The service does not know this key, or it has expired.').waitFor();
      expect(await storedKeys(page)).toEqual([null, null]);
      await signIn(page, account.token);
      await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
      expect(page.url()).toBe(addressOf('/messages'));
      expect(await storedKeys(page)).toEqual([account.token, null]);
      await page.context().close();
    },
  );

  it('in every tab and later on request, until they sign out', async () => {
    const page = await bench.open('/');
    await signIn(page, account.token, { isKept: true });
    await ready(page);
    const other = await page.context().newPage();
    await other.goto(addressOf('/webhooks'));
    await other.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await button(other, /^Account/).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await button(other, 'Sign in').waitFor();
    expect(await storedKeys(other)).toEqual([null, null]);
    await page.context().close();
  });
});

it('a revoked key leads to sign-in during work, and back to the same page', async () => {
  const key = await anApiKey(account);
  const page = await bench.signedIn(key.token, '/suppressions');
  await button(page, 'Add a number').first().click();
  await page.getByRole('textbox', { name: 'Number' }).last().fill('+15005550024');
  expect((await account.client.delete(`/user/api-keys/${key.id}`)).status).toBe(200);
  await button(page, 'Never call it').click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.waitFor();
  await consolePicture(page, 'key-revoked');
  await dialog.getByLabel('Key', { exact: true }).fill(account.token);
  await button(dialog, 'Sign in').click();
  await dialog.waitFor({ state: 'detached' });
  // What was typed is still there.
  await button(page, 'Never call it').click();
  await page.getByRole('row', { name: /\+1 500 555 0024/ }).waitFor();
  expect(page.url()).toBe(addressOf('/suppressions'));
  await page.context().close();
});

/** Buttons by the scope that they need, as the README of the API tells. */
const BUTTONS = [
  { path: '/webhooks', name: 'Send a test', scope: 'write' },
  { path: '/webhooks', name: 'Signing secret', scope: 'admin' },
  { path: '/suppressions', name: 'Import', scope: 'write' },
  { path: '/numbers', name: /^Release/, scope: 'admin' },
  { path: '/messages/new', name: 'Send', scope: 'messages' },
] as const;

describe('a key with the scope', () => {
  it.each(['read', 'calls', 'messages', 'write', 'admin'] as const)(
    '%s shows what it may do, and why the rest is refused',
    async (scope) => {
      const { token } = await anApiKey(account, { scopes: [...new Set(['read', scope])] });
      const page = await bench.signedIn(token);
      const keys = page.getByRole('navigation').getByRole('link', { name: 'API keys' });
      if (scope === 'admin') await keys.waitFor();
      else expect(await keys.count()).toBe(0);
      for (const { path, name, scope: needed } of BUTTONS) {
        await visit(page, path);
        const isAllowed = scope === needed || scope === 'admin';
        expect([name, await button(page, name).first().isEnabled()]).toEqual([name, isAllowed]);
        if (isAllowed) continue;
        await button(page, name).first().locator('..').hover({ force: true });
        // In a tooltip, or under a form. The hidden description of the button does not count.
        const reason = page.getByText(`The key has no scope “${needed}”: use another one.`);
        await reason.filter({ visible: true }).first().waitFor();
      }
      await page.context().close();
    },
  );

  it('read tells keyboards, screen readers and touches why a button is refused', async () => {
    const { token } = await anApiKey(account, { scopes: ['read'] });
    const page = await bench.signedIn(token, '/webhooks', { hasTouch: true });
    const reason = 'The key has no scope “write”: use another one.';
    const send = button(page, 'Send a test');
    const shown = page.getByRole('tooltip', { name: reason });
    await send.focus();
    await shown.waitFor();
    const description = await send.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${description}"]`).textContent()).toBe(reason);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).tap();
    await send.tap({ force: true });
    await shown.waitFor();
    await page.context().close();
  });

  it('read does not send a form by Enter', async () => {
    const id = await anAssistant(account);
    const { token } = await anApiKey(account, { scopes: ['read'] });
    const page = await bench.signedIn(token, `/assistants/${id}?try=call`);
    await page.getByLabel('Phone number').fill('+15005550020');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.getByRole('tooltip', { name: 'The key has no scope “calls”: use another one.' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });

  it('read shows the scope that a page needs', async () => {
    const { token } = await anApiKey(account, { scopes: ['read'] });
    const page = await bench.signedIn(token, '/api-keys');
    const reason = page.getByText('The key has no scope “admin”: use another one.');
    await reason.waitFor();
    await visit(page, '/audit-log');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await reason.waitFor();
    await page.context().close();
  });
});
