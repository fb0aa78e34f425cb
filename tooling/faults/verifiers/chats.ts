/** A message that a client sent until its response. */
export interface SentMessage {
  conversation: string;
  text: string;
  /** Responses to the client, in order of arrival. */
  answers: string[];
}

export interface StoredMessage {
  conversation: string;
  role: 'assistant' | 'user';
  content: string;
}

export interface ChatObservations {
  sent: SentMessage[];
  /** The conversations in the API, in order, without greetings. */
  history: StoredMessage[];
  /** Requests to the tool, by the text of the message. */
  toolRuns: ReadonlyMap<string, number>;
  /** Micro-units charged for each conversation. */
  taken: ReadonlyMap<string, bigint>;
  priceMicros: bigint;
  /** Problems of the ledger. */
  audit: string[];
}

/** Every message is stored once with one response, the client's; its tool ran once, or was reported as lost. */
export function verifyChats({
  sent,
  history,
  toolRuns,
  taken,
  priceMicros,
  audit,
}: ChatObservations): string[] {
  const conversations = [...new Set(sent.map(({ conversation }) => conversation))];
  return [
    ...conversations.flatMap((conversation) => {
      const messages = sent.filter((message) => message.conversation === conversation);
      const stored = history.filter((message) => message.conversation === conversation);
      const paid = taken.get(conversation) ?? 0n;
      const due = priceMicros * BigInt(messages.length);
      return [
        ...turnsOf(messages, stored),
        ...(paid === due ? [] : [`${conversation}: ${paid} micro-units taken instead of ${due}`]),
      ];
    }),
    ...sent.flatMap((message) => toolProblems(message, toolRuns.get(message.text) ?? 0)),
    ...audit,
  ];
}

function turnsOf(messages: SentMessage[], stored: StoredMessage[]): string[] {
  const expected = messages.flatMap(({ text, answers }) => [
    `user: ${text}`,
    `assistant: ${answers[0] ?? ''}`,
  ]);
  const found = stored.map(({ role, content }) => `${role}: ${content}`);
  const name = messages[0]?.conversation ?? '';
  const lines = Math.max(expected.length, found.length);
  const wrong = Array.from({ length: lines }, (_, line) => line).find(
    (line) => expected[line] !== found[line],
  );
  return [
    ...messages.flatMap(({ text, answers }) => [
      ...(answers.length > 0 ? [] : [`${name}: "${text}" was never answered`]),
      ...(new Set(answers).size <= 1 ? [] : [`${name}: "${text}" got ${new Set(answers).size} answers`]),
    ]),
    ...(wrong === undefined
      ? []
      : [`${name}: line ${wrong} is "${found[wrong] ?? ''}" instead of "${expected[wrong] ?? ''}"`]),
  ];
}

function toolProblems({ conversation, text }: SentMessage, runs: number): string[] {
  return runs <= 1 ? [] : [`${conversation}: the tool ran ${runs} times for "${text}"`];
}
