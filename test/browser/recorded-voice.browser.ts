import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../factories/account.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { BrowserBench } from '../support/browser-bench.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { LISTENS_TO_TEST, microphone, microphoneOf, utter } from '../support/microphone.js';
import { MULTIMODAL } from '../support/multimodal-call.js';
import { echoes, HEARS_BOTH_SIDES, overlapMs, pageVoices, quiet } from '../support/page-voices.js';
import { joined, RecordedVoices, VOICE_RATE } from '../support/recorded-voices.js';
import { until } from '../support/until.js';

const GREETING = 'Hello, how can I help you?';
const LONG_GREETING = `${GREETING} We have bicycles of every kind, for each age and for all weathers.`;
const LINES: [string, object][] = [
  ['a realtime model', MULTIMODAL],
  ['speech providers', { synthesizer_provider_id: 1, transcriber_provider_id: 2 }],
];
/** Within a sentence. */
const PAUSE_SECONDS = 0.9;
/** Of the page's audio, in which nobody speaks: nothing is answered in it. */
const SILENCE_MS = 2_500;
/** The assistant may begin in a pause, and stops then: it needs a tenth of a second of voice, and the way of the audio. */
const MAX_OVERLAP_MS = 1_000;
/** The person speaks on for this long after the assistant has stopped. */
const YIELDED_MS = 500;

let carrier: CarrierBench;
let account: TestAccount;
let voices: RecordedVoices;
const benches: BrowserBench[] = [];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const log = (page: Page) => page.getByRole('log');
const status = (page: Page) => page.getByRole('status');

async function started(args: string[]): Promise<BrowserBench> {
  const bench = await BrowserBench.start(args, carrier.commandEnv['PUBLIC_URL']);
  benches.push(bench);
  return bench;
}

/** A call in the widget, in which the assistant greets. */
async function talk(bench: BrowserBench, fields: object, prepare = ''): Promise<Page> {
  const { uuid } = await aWidgetAssistant(account, {
    initial_message: LONG_GREETING,
    // A person whom a busy machine keeps waiting is not asked, nor given up.
    re_engagement_interval: 600,
    max_silence_duration: 120,
    widget_settings: { enabled: true, allowed_origins: [bench.origin] },
    ...fields,
  });
  bench.attributes = { 'data-assistant-id': uuid };
  const page = await bench.page(bench.origin, { prepare: LISTENS_TO_TEST + HEARS_BOTH_SIDES + prepare });
  await button(page, 'Talk to us').click();
  await button(page, 'Talk').click();
  return page;
}

/** The assistant has answered the last of the person's utterances, and both have been silent since. */
async function answered(page: Page, utterances: number): Promise<void> {
  await until(async () => {
    const { person, assistant } = await pageVoices(page);
    return (assistant.at(-1)?.from ?? 0) > (person[utterances - 1]?.to ?? Infinity);
  });
  await quiet(page, SILENCE_MS);
}

async function endedCall(page: Page): Promise<string> {
  await button(page, 'End').click();
  await page.getByText('The conversation has ended.').waitFor();
  await page.context().close();
  const { body } = await account.client.get<{ data: { id: number }[] }>('/user/calls?type=web');
  const id = body.data[0]?.id ?? 0;
  await callWhen(account, id, (call) => call.status === 'completed');
  return (await account.client.get<{ transcript: string }>(`/user/calls/${id}`)).body.transcript;
}

beforeAll(async () => {
  voices = await RecordedVoices.read();
  // Voices are detected as in production, and words are known as late as there.
  carrier = await CarrierBench.start(undefined, 1);
  account = await anAccount({ plan: 'unlimited', service: carrier });
});

afterAll(async () => {
  await Promise.all(benches.map((bench) => bench.stop()));
  await carrier.stop();
});

describe('a person with a voice in a call over the audio of the browser', () => {
  let bench: BrowserBench;

  beforeAll(async () => {
    bench = await started(microphone(1));
  });

  it.each(LINES)('interrupts, pauses in a sentence, and is silent, by %s', async (_name, fields) => {
    const page = await talk(bench, fields);
    await log(page).getByText(GREETING).waitFor();
    await utter(page, voices.utterance('Wait'), VOICE_RATE);
    await answered(page, 1);
    const sentence = joined(voices.utterance('Four'), PAUSE_SECONDS, voices.utterance('Five'));
    await utter(page, sentence, VOICE_RATE);
    await answered(page, 3);
    const { person, assistant } = await pageVoices(page);
    const transcript = await endedCall(page);

    const [interruption, ...parts] = person;
    const [greeting] = assistant;
    expect(greeting?.to).toBeGreaterThan(interruption?.from ?? 0);
    expect(greeting?.to).toBeLessThan(interruption?.to ?? 0);
    expect(transcript).not.toContain('weathers');
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(overlapMs(part, assistant)).toBeLessThan(MAX_OVERLAP_MS);
    // One response to each of the two, and none to silence.
    expect(transcript).toMatch(
      /^AI: Hello, .*\nCustomer: Wait\nAI: .*\?\nCustomer: Four(\nAI: \S+( \S+)?)?(\nCustomer:)? Five\nAI: .*\?$/,
    );
  });
});

it('a voice in the microphone of the browser interrupts', async () => {
  // A time in a file is before the greeting on one machine and in it on another.
  const again = Array.from({ length: 15 }, () => [2, voices.utterance('Wait')]).flat();
  const bench = await started(microphoneOf(joined(...again), VOICE_RATE));
  const page = await talk(bench, { ...MULTIMODAL, initial_message: LONG_GREETING.repeat(5) });
  await status(page).getByText('Speaking').waitFor();
  await until(async () => {
    const { person, assistant } = await pageVoices(page);
    return assistant.some(({ from, to }) =>
      person.some((voice) => voice.from > from && voice.from < to && voice.to > to + YIELDED_MS),
    );
  });
  await endedCall(page);
});

describe('with an echo of the assistant, 30 dB quieter, in the microphone', () => {
  let bench: BrowserBench;
  let echo: string;

  beforeAll(async () => {
    bench = await started(microphone(1));
    const voice = joined(...Array.from({ length: 4 }, () => voices.voice()));
    echo = echoes({ decibels: 30, delayMs: 120, voice, rate: VOICE_RATE });
  });

  it.each(LINES)('the person interrupts, by %s', async (_name, fields) => {
    const initial_message = `${LONG_GREETING.repeat(2)} That is all.`;
    const page = await talk(bench, { ...fields, initial_message }, echo);
    await log(page).getByText('bicycles').first().waitFor();
    await utter(page, voices.utterance('Wait'), VOICE_RATE);
    await answered(page, 1);
    const transcript = await endedCall(page);
    expect(transcript).toMatch(/\nCustomer: Wait\nAI: .*\?$/);
    expect(transcript).not.toContain('That is all');
  });

  it.each(LINES)('the assistant does not interrupt itself, by %s', async (_name, fields) => {
    const page = await talk(bench, fields, echo);
    await log(page).getByText('weathers.').waitFor();
    const { assistant } = await pageVoices(page);
    const transcript = await endedCall(page);
    expect(assistant).toHaveLength(1);
    expect(transcript).toBe(`AI: ${LONG_GREETING}`);
  });
});
