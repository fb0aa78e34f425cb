import { SystemClock } from '../conversations/engine/clock.js';
import { LanguageModelError } from './language-model.js';
import { FakeLanguageModel } from './language-model.fake.js';
import { ANY_CHAT_MODEL, describeLanguageModel } from './language-model-contract.fake.js';
import { OpenAiLanguageModelService } from './openai-language-model.service.js';
import { OpenAiServer, type ServerStep } from './openai-server.fake.js';

describeLanguageModel('FakeLanguageModel', async () => {
  const model = new FakeLanguageModel(new SystemClock());
  return {
    model,
    willSay: (...steps) => void model.willSay(...steps),
    willComplete: (answer) => {
      const refusal = (status: number) => new LanguageModelError('refused', status >= 500, status);
      model.willComplete(typeof answer === 'number' ? refusal(answer) : answer);
    },
    close: async () => undefined,
  };
});

describeLanguageModel('OpenAiLanguageModel', async () => {
  const server = new OpenAiServer();
  const model = new OpenAiLanguageModelService(
    { baseUrl: await server.start(), apiKey: 'key', endpoints: {} },
    ANY_CHAT_MODEL,
  );
  return {
    model,
    willSay: (...steps) => server.willRespond(steps as ServerStep[]),
    willComplete: (answer) =>
      server.willRespond(
        typeof answer === 'number'
          ? { status: answer, body: { error: { message: 'no' } } }
          : {
              status: 200,
              body: { choices: [{ index: 0, message: { role: 'assistant', content: answer } }] },
            },
      ),
    close: () => server.stop(),
  };
});
