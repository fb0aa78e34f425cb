/**
 * node compare.mjs [--seed N] [--scenarios N]: sends the same frames of the carrier and the same events of the model
 * to this service and to the transport of `@openai/agents-extensions`, in virtual time, and compares their output to
 * the carrier and to the model. Exits with 1 at a difference that is not in the list of deliberate ones (README.md).
 */
import { mock } from 'node:test';
import { Carrier } from './carrier.mjs';
import { Model } from './model.mjs';
import { ours } from './ours.mjs';
import { scenarios } from './scenarios.mjs';
import { theirs } from './theirs.mjs';
import { differences } from './differences.mjs';

const STEP_MS = 20;

const say = (text) => process.stdout.write(`${text}\n`);

const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

/** Runs all pending microtasks and immediate callbacks. */
async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function play(open, { answers, frames, interruptAtMs, askAtMs, endMs }) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
  try {
    const carrier = new Carrier();
    const model = new Model(answers);
    model.step(0);
    const subject = await open(carrier, model);
    carrier.start();
    model.step(0);
    await settle();
    for (let now = 0; now < endMs; now += STEP_MS) {
      model.step(now);
      await settle();
      if (askAtMs.includes(now)) void subject.answer();
      await settle();
      if (interruptAtMs.includes(now)) model.speechStarted();
      mock.timers.tick(0);
      await settle();
      const frame = frames[now / STEP_MS];
      if (frame !== undefined) carrier.step(frame);
      mock.timers.tick(STEP_MS);
      await settle();
    }
    const seen = {
      appended: Buffer.concat(model.appended),
      truncated: model.truncated,
      cancelled: model.cancelled,
      received: Buffer.concat(carrier.received),
      marks: carrier.marks,
      clears: carrier.clears,
      left: carrier.bytes - carrier.played,
    };
    subject.close();
    await settle();
    return seen;
  } finally {
    mock.timers.reset();
  }
}

const seed = option('--seed', 1);
const counts = new Map();
let wrong = 0;
let count = 0;
for (const scenario of scenarios(seed, option('--scenarios', 200))) {
  const [mine, other] = [await play(ours, scenario), await play(theirs, scenario)];
  count += 1;
  for (const { what, deliberate } of differences(scenario, mine, other)) {
    if (deliberate) counts.set(deliberate, (counts.get(deliberate) ?? 0) + 1);
    else {
      wrong += 1;
      say(`${scenario.name}: ${what}`);
    }
  }
}
say(`seed ${seed}, ${count} scenarios, ${wrong} differences that are not deliberate`);
for (const [reason, times] of counts) say(`deliberate, ${times} times: ${reason}`);
process.exit(wrong === 0 ? 0 : 1);
