import type { SimulatedCallee, Voice } from './simulated-callee.js';

/** Lets two people hear each other: what one of them says is not transcribed. @returns separates them */
export function bridge(one: SimulatedCallee, other: SimulatedCallee): () => void {
  const [toOther, toOne] = [voiceFor(other), voiceFor(one)];
  one.attach(toOther);
  other.attach(toOne);
  return () => {
    one.detach(toOther);
    other.detach(toOne);
  };
}

const voiceFor = (listener: SimulatedCallee): Voice => ({
  beginSpeech: () => {
    listener.assistantStarted();
    return false;
  },
  endSpeech: (_reported, text) => listener.otherEnded(text),
  press: () => undefined,
});
