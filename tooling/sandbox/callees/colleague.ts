import { hearOut } from './hearing.js';
import type { Line } from './line.js';
import { converse } from './polite-human.js';

/** Answers with a name, helps once, and hangs up. */
export async function colleague(line: Line): Promise<void> {
  await line.say('Service desk, this is Robin. How can I help you?');
  await hearOut(line);
  await line.say('I have taken care of it. Goodbye!');
  await line.wait(500);
}

/** Requests a transfer to any person that the assistant can reach; otherwise says goodbye. */
export async function asksForPerson(line: Line): Promise<void> {
  await converse(line, ['Hello, can I speak to a person, please?']);
}
