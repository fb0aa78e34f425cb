/** Speech functions of a browser: a headless one has no voice, and its recognition asks a service of its maker. */
export const SPEECH = `
  window.spoken = [];
  window.ended = 0;
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const synthesis = {
    speak(utterance) {
      this.current = utterance;
      spoken.push(utterance.text);
      setTimeout(() => {
        utterance.onstart();
        utterance.onboundary({ charIndex: utterance.text.indexOf(' ') });
        if (!window.isSlow) setTimeout(() => { ended += 1; utterance.onend(); }, 20);
      }, 10);
    },
    cancel() { this.current.onerror({}); },
  };
  Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
  window.ear = null;
  window.SpeechRecognition = class {
    start() { window.ear = this; }
    abort() { window.ear = null; setTimeout(() => this.onend(), 0); }
  };
  window.hear = (transcript, isFinal) =>
    ear.onresult({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal })] });
`;
