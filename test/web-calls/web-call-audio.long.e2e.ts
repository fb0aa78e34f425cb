import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { AudioBrowser } from '../factories/audio-browser.js';
import { callWhen } from '../factories/call.js';
import { againUrl, beginWebCall, type WebCall } from '../factories/web-call.js';
import { secretOf, verified } from '../factories/webhook.js';
import { MULTIMODAL, transcriptWords } from '../support/multimodal-call.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** To `What is your name?`, to its end. */
const ANSWER = /meet us\? ?$/;
/** Of the plan `standard`. */
const MINUTE = 0.05;

interface Record {
  type: string;
  status: string;
  transcript: string;
  ended_by: string;
  ended_reason: string;
  total_cost: number;
  settings_not_applied: string[];
  webhook_response: { status_code?: number };
}

const recordOf = async (account: TestAccount, { call_id }: WebCall): Promise<Record> => {
  await callWhen(account, call_id, ({ status }) => status === 'completed');
  return (await account.client.get<Record>(`/user/calls/${call_id}`)).body;
};

const captions = (browser: AudioBrowser, who: 'assistant' | 'customer'): string =>
  browser.captions(who).replace(/\s/g, '');

/** What the customer heard, without the pauses. */
const ears = ({ words }: AudioBrowser): string => words.replace(/\s/g, '');

describe('a web call over its audio', () => {
  let account: TestAccount;
  let receiver: Receiver;
  let assistantId: number;

  beforeAll(async () => {
    account = await anAccount();
    receiver = await Receiver.open();
    assistantId = await anAssistant(account, {
      ...MULTIMODAL,
      record_call: true,
      is_webhook_active: true,
      webhook_url: receiver.url,
    });
  });

  afterAll(() => receiver.close());

  it('is heard and stored to the word, shown in captions, charged and reported like a phone call', async () => {
    const call = await beginWebCall(account, { assistant_id: assistantId });
    expect(call.line).toBe('audio');
    const browser = await AudioBrowser.openAudio(call.url);
    expect(await browser.frame(({ type }) => type === 'ready')).toEqual({
      type: 'ready',
      line: 'audio',
      token: expect.stringMatching(/^[\w-]{32}$/),
      language: 'en-US',
    });
    await browser.listens(/help you\? ?$/);
    browser.talks('What is your name?');
    await browser.listensOut(ANSWER);
    // Without a microphone, or in a loud place.
    browser.says('Thank you, goodbye.');
    expect(await browser.frame(({ type }) => type === 'end')).toEqual({ type: 'end', reason: 'goodbye' });
    browser.socket.close(1000);

    const record = await recordOf(account, call);
    expect(record).toMatchObject({ type: 'web', ended_by: 'assistant', ended_reason: 'goodbye' });
    expect(record.total_cost).toBe(MINUTE);
    const { assistant, customer } = transcriptWords(record.transcript);
    expect(assistant).toBe(ears(browser));
    expect(captions(browser, 'assistant')).toBe(assistant);
    expect(customer).toBe('Whatisyourname?Thankyou,goodbye.');
    expect(captions(browser, 'customer')).toBe('Whatisyourname?');
    expect(record.settings_not_applied).toContain('record_call');
    expect(record.settings_not_applied).not.toContain('engine_type');
    await until(async () => (await recordOf(account, call)).webhook_response.status_code === 200);
    const hooks = receiver.received.filter(({ headers }) => headers['webhook-event'] === 'call.completed');
    const secret = await secretOf(account);
    expect(hooks.map((hook) => verified(secret, hook as never))).toMatchObject([{ id: call.call_id }]);
  });

  it('stops when the customer interrupts by speech or with a button, and stores the heard part', async () => {
    const initial_message = `Hello, how can I help you? ${'We repair bicycles of all kinds. '.repeat(5)}`;
    const assistant_id = await anAssistant(account, { ...MULTIMODAL, initial_message });
    const call = await beginWebCall(account, { assistant_id });
    const browser = await AudioBrowser.openAudio(call.url, 1);
    const cuts = () => browser.frames.filter(({ type }) => type === 'clear').length;
    await browser.listens(/how /);
    browser.talks('What is your name?');
    await browser.frame(() => cuts() === 1);
    const cut = browser.heard.length;
    await browser.listens(/assistant, /);
    browser.send({ type: 'interrupt' });
    await browser.frame(() => cuts() === 2);
    browser.send({ type: 'end' });
    expect(await browser.closed).toBe(1000);
    const { transcript, ended_reason } = await recordOf(account, call);
    expect(ended_reason).toBe('customer_hangup');
    const [greeting = '', customer, answer = ''] = transcript.split('\n');
    expect(customer).toBe('Customer: What is your name?');
    for (const [line, heard] of [
      [greeting, browser.heard.slice(0, cut)],
      [answer, browser.heard.slice(cut)],
    ] as const) {
      const words = heard.flatMap((word) => (word.whole ? [word.text.trim()] : []));
      const stored = line.split(' ').slice(1);
      const common = Math.min(words.length, stored.length);
      expect(stored.slice(0, common)).toEqual(words.slice(0, common));
      // The word that was cut short counts as heard, or not, and the customer hears on until the stop arrives: a word
      // more, or two fewer, on a busy machine.
      expect([-1, 0, 1, 2]).toContain(stored.length - words.length);
    }
  });

  it('is held in text by a browser that requests it', async () => {
    const call = await beginWebCall(account, { assistant_id: assistantId });
    const browser = await AudioBrowser.open(`${call.url}?line=text`);
    expect(await browser.frame(({ type }) => type === 'ready')).toMatchObject({ line: 'text', rate: 1 });
    await browser.hears(/help you/);
    browser.says('What is your name?');
    await browser.hears(/I am/);
    browser.socket.close(1000);
    expect((await recordOf(account, call)).settings_not_applied[0]).toBe('engine_type');
    await expect(AudioBrowser.open(`${call.url}?line=other`)).rejects.toThrow('404');
  });

  it('continues where it broke: nothing is heard twice, and nothing is missing', async () => {
    const call = await beginWebCall(account, { assistant_id: assistantId });
    const first = await AudioBrowser.openAudio(call.url, 2);
    const url = await againUrl(call, first);
    await first.listens(/how /);
    first.socket.terminate();
    const second = await AudioBrowser.openAudio(url, 40, first);
    // The service knows it, too: words that it does not know to be heard are cut by the answer.
    await second.listensOut(/you\? ?$/);
    expect(second.frames.filter(({ type }) => type === 'ready')).toEqual([]);
    second.says('Thank you, goodbye.');
    await second.frame(({ type }) => type === 'end');
    second.socket.close(1000);
    const { transcript } = await recordOf(account, call);
    expect(transcriptWords(transcript).assistant).toBe(ears(second));
    expect(ears(second)).toMatch(/^Hello,howcanIhelpyou\?/);
  });

  it('ignores frames without a meaning, and ends with a browser that sends too much', async () => {
    const call = await beginWebCall(account, { assistant_id: assistantId });
    const browser = await AudioBrowser.openAudio(call.url);
    await browser.listens(/help you/);
    for (const audio of [Buffer.of(), Buffer.of(1), Buffer.alloc(1_921, 77)]) browser.socket.send(audio);
    for (const text of ['{', '[]', '{"type":"played","place":-1}', '{"type":"received","place":0}', '{}'])
      browser.socket.send(text);
    browser.talks('What is your name?');
    await browser.listens(/assistant/);
    for (let count = 0; count < 1_000; count += 1) browser.socket.send(Buffer.alloc(2));
    expect(await browser.closed).toBe(1008);
    const other = await beginWebCall(account, { assistant_id: assistantId });
    const loud = await AudioBrowser.openAudio(other.url);
    loud.socket.send(Buffer.alloc(20_000));
    expect(await loud.closed).toBe(1009);
    await Promise.all([recordOf(account, call), recordOf(account, other)]);
  });
});
