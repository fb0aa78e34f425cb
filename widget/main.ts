import { mergeSettings, type WidgetSettings } from './settings.js';
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

async function show({ src, dataset }: HTMLScriptElement): Promise<void> {
  const assistantId = dataset.assistantId ?? '';
  const api = new URL(API_PATH, src).href.replace(/\/$/, '');
  const answer = await fetch(`${api}/web-calls/widgets/${encodeURIComponent(assistantId)}`, {
    credentials: 'omit',
  });
  const body = (await answer.json()) as WidgetBody;
  if (!answer.ok) throw new Error(body.message ?? `HTTP ${answer.status}`);
  const host = document.createElement('voice-assistant-widget');
  const settings = mergeSettings(body.settings, dataset);
  const { language, line } = body;
  new Widget(host, { script: src, api, assistantId, settings, language, line });
  document.body.append(host);
}

/** For whoever puts the script into a page: visitors see no button that does not work. */
function explain(error: unknown): void {
  console.error(`The voice assistant is not shown: ${error instanceof Error ? error.message : 'error'}`);
}

function begin(): void {
  const script = document.currentScript as HTMLScriptElement | null;
  if (!script) return;
  const start = (): void => void show(script).catch(explain);
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
}

if (isAudioThread()) registerProcessors();
else begin();
