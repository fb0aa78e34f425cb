import { serve, type LocalRequest, type LocalServer } from './local-server.js';

interface CallNews {
  id: number;
}

export interface ReceivedWebhook extends LocalRequest {
  callId: number;
}

/** Somebody's CRM: hears of calls that are over. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  private server: LocalServer;

  async open(host: string): Promise<string> {
    this.server = await serve(host, (request) => {
      const { id } = JSON.parse(request.body) as CallNews;
      this.received.push({ ...request, callId: id });
      return { received: true };
    });
    return `${this.server.url}/webhooks/calls`;
  }

  hasHeardOf(callId: number): boolean {
    return this.received.some((webhook) => webhook.callId === callId);
  }

  close(): void {
    this.server.close();
  }
}
