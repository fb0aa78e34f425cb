import type { VoiceService } from './voice-service.js';

/** @returns the URL of the line of a new web call */
export async function beginWebCall({ service, headers, assistantId }: VoiceService): Promise<string> {
  const body = JSON.stringify({ assistant_id: assistantId });
  const answer = await fetch(`${service.url}/api/user/web-calls`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`no web call was begun: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url;
}
