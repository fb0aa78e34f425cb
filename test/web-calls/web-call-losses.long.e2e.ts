import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { AudioBrowser } from '../factories/audio-browser.js';
import { callWhen, turnsWhen } from '../factories/call.js';
import { againUrl, beginWebCall, Browser, type WebCall } from '../factories/web-call.js';
import { MULTIMODAL, transcriptWords } from '../support/multimodal-call.js';
import { OwnService } from '../support/own-service.js';

/** To `What is your name?`, to its end. */
const ANSWER = /meet us\? ?$/;

let service: OwnService;
let account: TestAccount;

beforeAll(async () => {
  service = await OwnService.start();
  account = await service.account();
});
afterAll(() => service.stop());

const recordOf = async (
  of: TestAccount,
  { call_id }: WebCall,
): Promise<{ transcript: string; ended_reason: string }> => {
  await callWhen(of, call_id, ({ status }) => status === 'completed');
  return (await of.client.get<{ transcript: string; ended_reason: string }>(`/user/calls/${call_id}`)).body;
};

describe('a web call that loses', () => {
  it('its process over audio continues at the next one, with the heard part', async () => {
    const assistant_id = await anAssistant(account, MULTIMODAL);
    const call = await beginWebCall(account, { assistant_id });
    const first = await AudioBrowser.openAudio(call.url);
    const url = await againUrl(call, first);
    await first.listens(/help you\? ?$/);
    first.talks('What is your name?');
    await first.listens(ANSWER);
    await service.restart();
    expect(await first.closed).toBe(1006);
    // At its own speed the goodbye lasts until the customer's words are transcribed.
    const second = await AudioBrowser.openAudio(url, 1, first);
    const ready = await second.frame(({ type }) => type === 'ready');
    expect([ready['line'], url.includes(String(ready['token']))]).toEqual(['audio', false]);
    second.talks('Thank you, goodbye.');
    await second.frame(({ type }) => type === 'end');
    second.socket.close(1000);
    const { transcript, ended_reason } = await recordOf(account, call);
    expect(ended_reason).toBe('goodbye');
    expect(transcript.match(/how can I help you\?/g)).toHaveLength(1);
    expect(transcriptWords(transcript).customer).toBe('Whatisyourname?Thankyou,goodbye.');
  });

  it('its process in text continues at the next one too', async () => {
    const call = await beginWebCall(account, { assistant_id: await anAssistant(account) });
    const first = await Browser.open(call.url);
    await first.hears(/help you/);
    const url = await againUrl(call, first);
    first.says('What is your name?');
    await first.frame(({ type, token }) => type === 'text' && !/help you/.test(String(token)));
    // The process that continues it finds a part of the response, and the customer speaks at once.
    await turnsWhen(account, call.call_id, (turns) => turns.length > 2 && turns.at(-1)?.role === 'assistant');
    await service.restart();
    expect(await first.closed).toBe(1006);
    const second = await Browser.open(url);
    const ready = await second.frame(({ type }) => type === 'ready');
    expect(url).not.toContain(String(ready['token']));
    second.says('Thank you, goodbye.');
    await second.frame(({ type }) => type === 'end');
    second.socket.close(1000);
    const { transcript, ended_reason } = await recordOf(account, call);
    expect(ended_reason).toBe('goodbye');
    expect(transcript.match(/how can I help you\?/g)).toHaveLength(1);
    expect(transcript).toMatch(/Customer: What is your name\?\n(.|\n)*Customer: Thank you, goodbye\./);
  });
});
