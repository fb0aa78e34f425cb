import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { AudioBrowser } from '../factories/audio-browser.js';
import { callWhen } from '../factories/call.js';
import { beginWebCall, type WebCall } from '../factories/web-call.js';
import { transcriptWords } from '../support/multimodal-call.js';

/** To `What is your name?`, to its end. */
const ANSWER = /meet us\? ?$/;

interface Record {
  transcript: string;
  settings_not_applied: string[];
}

const recordOf = async (account: TestAccount, { call_id }: WebCall): Promise<Record> => {
  await callWhen(account, call_id, ({ status }) => status === 'completed');
  return (await account.client.get<Record>(`/user/calls/${call_id}`)).body;
};

const captions = (browser: AudioBrowser, who: 'assistant' | 'customer'): string =>
  browser.captions(who).replace(/\s/g, '');

/** Of the catalogue: the sandbox's. */
const SPEECH = { synthesizer_provider_id: 1, transcriber_provider_id: 2 };

describe('a web call of an assistant with speech providers', () => {
  let account: TestAccount;

  beforeAll(async () => {
    account = await anAccount();
  });

  it('is heard and stored to the word over its audio, also in writing, and shown in captions', async () => {
    const assistant_id = await anAssistant(account, { ...SPEECH, record_call: true, ambient_sound: 'off' });
    const call = await beginWebCall(account, { assistant_id });
    expect(call.line).toBe('audio');
    const browser = await AudioBrowser.openAudio(call.url);
    expect(await browser.frame(({ type }) => type === 'ready')).toMatchObject({
      line: 'audio',
      language: 'en-US',
    });
    await browser.listens(/help you\? ?$/);
    browser.talks('What is your name?');
    await browser.listensOut(ANSWER);
    browser.says('Thank you, goodbye.');
    expect(await browser.frame(({ type }) => type === 'end')).toEqual({ type: 'end', reason: 'goodbye' });
    browser.socket.close(1000);
    const { transcript, settings_not_applied } = await recordOf(account, call);
    const { assistant, customer } = transcriptWords(transcript);
    expect(assistant).toBe(browser.words.replace(/\s/g, ''));
    expect(captions(browser, 'assistant')).toBe(assistant);
    expect(customer).toBe('Whatisyourname?Thankyou,goodbye.');
    expect(captions(browser, 'customer')).toBe('Whatisyourname?');
    expect(settings_not_applied).toContain('record_call');
    for (const name of ['engine_type', ...Object.keys(SPEECH)])
      expect(settings_not_applied).not.toContain(name);
  });

  it('stops when the customer interrupts by speech or with a button, over a background sound too', async () => {
    const initial_message = `Hello, how can I help you? ${'We repair bicycles of all kinds. '.repeat(5)}`;
    const fields = { ...SPEECH, initial_message, ambient_sound: 'office', ambient_sound_volume: 0.1 };
    const call = await beginWebCall(account, { assistant_id: await anAssistant(account, fields) });
    const browser = await AudioBrowser.openAudio(call.url, 1);
    const cuts = () => browser.frames.filter(({ type }) => type === 'clear').length;
    await browser.frame(() => /how /.test(browser.captions('assistant')));
    browser.talks('What is your name?');
    await browser.frame(() => cuts() === 1);
    await browser.frame(() => /assistant, /.test(browser.captions('assistant')));
    browser.send({ type: 'interrupt' });
    await browser.frame(() => cuts() === 2);
    browser.send({ type: 'end' });
    expect(await browser.closed).toBe(1000);
    const { transcript } = await recordOf(account, call);
    const [greeting, customer, answer] = transcript.split('\n');
    expect(greeting).toMatch(/^AI: Hello, how/);
    expect(greeting?.length).toBeLessThan(initial_message.length);
    expect(customer).toBe('Customer: What is your name?');
    expect(answer).toMatch(/^AI: .*assistant,/);
    expect(captions(browser, 'assistant')).toBe(transcriptWords(transcript).assistant);
  });

  it('is held in text by a browser that requests it, and reports that the providers are not used', async () => {
    const call = await beginWebCall(account, { assistant_id: await anAssistant(account, SPEECH) });
    const browser = await AudioBrowser.open(`${call.url}?line=text`);
    expect(await browser.frame(({ type }) => type === 'ready')).toMatchObject({ line: 'text' });
    await browser.hears(/help you/);
    browser.socket.close(1000);
    const { settings_not_applied } = await recordOf(account, call);
    expect(settings_not_applied).toEqual(expect.arrayContaining(Object.keys(SPEECH)));
    expect(settings_not_applied).not.toContain('engine_type');
  });
});
