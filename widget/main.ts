import { beginCall } from './call.js';
import { mergeSettings, type WidgetSettings } from './settings.js';
import { stringsFor } from './strings.js';
import { View } from './view.js';
import { Widget } from './widget.js';
import { isAudioThread, registerProcessors } from './worklet.js';

/** Path of the API below the script's own address, e.g. `api`; filled in by the service that serves the file. */
declare const API_PATH: string;

interface WidgetBody {
  language: string;
  line: 'audio' | 'text';
  settings: WidgetSettings;
  message?: string;
}

const HOST = 'voice-assistant-widget';

/** Once, also where a page has the script twice, or puts it in again. */
async function show(script: HTMLScriptElement): Promise<void> {
  const { assistantId = '' } = script.dataset;
  const isThere = [...document.querySelectorAll<HTMLElement>(HOST)].some(
    ({ dataset }) => dataset.assistantId === assistantId,
  );
  if (isThere) return;
  const host = document.createElement(HOST);
  host.dataset.assistantId = assistantId;
  document.body.append(host);
  try {
    await fill(host, assistantId, script);
  } catch (error) {
    host.remove();
    throw error;
  }
}

async function fill(
  host: HTMLElement,
  assistantId: string,
  { src, dataset }: HTMLScriptElement,
): Promise<void> {
  const api = new URL(API_PATH, src).href.replace(/\/$/, '');
  const answer = await fetch(`${api}/web-calls/widgets/${encodeURIComponent(assistantId)}`, {
    credentials: 'omit',
  });
  const body = (await answer.json()) as WidgetBody;
  if (!answer.ok) throw new Error(body.message ?? `HTTP ${answer.status}`);
  const settings = mergeSettings(body.settings, dataset);
  const { language, line } = body;
  const strings = stringsFor(language);
  host.lang = language;
  new Widget((listener) => new View(host, settings, strings, listener), {
    script: src,
    strings,
    line,
    begin: () => beginCall(api, assistantId),
  });
}

/** For whoever puts the script into a page: visitors see no button that does not work. */
function explain(error: unknown): void {
  console.error(`The voice assistant is not shown: ${error instanceof Error ? error.message : 'error'}`);
}

function begin(): void {
  // A module does not know its own script element.
  const script = document.currentScript ?? document.querySelector('script[data-assistant-id]');
  if (!(script instanceof HTMLScriptElement)) return;
  const start = (): void => void show(script).catch(explain);
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
}

if (isAudioThread()) registerProcessors();
else begin();
