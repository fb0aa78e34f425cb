import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions';

/** The transport of `@openai/agents-extensions`. */
export async function theirs(carrier, model) {
  const transport = new TwilioRealtimeTransportLayer({
    twilioWebSocket: carrier.socket,
    createWebSocket: async () => model.socket,
    skipOpenEventListeners: true,
  });
  transport.on('error', () => undefined);
  await transport.connect({ apiKey: 'none', initialSessionConfig: { tracing: null } });
  return {
    answer: async () => transport.sendEvent({ type: 'response.create' }),
    close: () => transport.close(),
  };
}
