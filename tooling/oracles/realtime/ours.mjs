import { MediaStreamLine } from '../../../dist/src/modules/telephony/twilio/media-stream-line.js';
import { OpenAiRealtimeConnection } from '../../../dist/src/modules/speech/openai-realtime/openai-realtime-connection.js';
import { RealtimeSession } from '../../../dist/src/modules/conversations/realtime/realtime-session.js';

const SETTINGS = {
  model: 'gpt-realtime',
  format: 'pcmu-8000',
  voice: null,
  speed: 1,
  language: 'en-US',
  reducesNoise: false,
  turnDetection: { by: 'silence', silenceMs: 600, threshold: 0.5 },
};
/** Any sound interrupts at once, as in the other transport. */
const RULES = { allowInterruptions: true, interruptSensitivity: 0, minInterruptWords: 0 };
const SPEECH = { interruptible: true, preemptible: false };
const clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** This service: its line, its session and its adapter, without the engine; `answer` replaces the engine. */
export async function ours(carrier, model) {
  const line = new MediaStreamLine(carrier.socket, Date.now());
  const session = new RealtimeSession(line, clock, SETTINGS, RULES);
  await session.open({
    connect: async (_settings, onEvent) => {
      const connection = new OpenAiRealtimeConnection(model.socket, onEvent);
      model.socket.on('message', (data) => connection.receive(JSON.parse(String(data))));
      return connection;
    },
  });
  let answering = new AbortController();
  session.onEvent(({ kind }) => {
    if (kind === 'interrupted') answering.abort();
  });
  const request = {
    model: 'x',
    temperature: 0,
    messages: [],
    tools: [],
    mayCallTools: true,
    maxOutputTokens: 1,
  };
  return {
    async answer() {
      answering = new AbortController();
      for await (const delta of session.stream(request, answering.signal))
        if (delta.kind === 'text') session.say(delta.text, false, SPEECH);
      if (!answering.signal.aborted) session.say('', true, SPEECH);
    },
    close: () => session.hangUp(),
  };
}
