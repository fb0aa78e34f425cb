import type { VoiceService } from './voice-service.js';

/** A new web call: its id, and the URL of its line. */
export interface BegunWebCall {
  id: number;
  url: string;
}

export async function beginWebCall({ service, headers, assistantId }: VoiceService): Promise<BegunWebCall> {
  const body = JSON.stringify({ assistant_id: assistantId });
  const answer = await fetch(`${service.url}/api/user/web-calls`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`no web call was begun: ${answer.status} ${await answer.text()}`);
  const { call_id: id, url } = (await answer.json()) as { call_id: number; url: string };
  return { id, url };
}
