import type { SimulatedCallee, Voice } from './simulated-callee.js';

/** Connects the audio of two people; their speech is not transcribed. @returns a function that disconnects them */
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
