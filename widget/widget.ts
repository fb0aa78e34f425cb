import {
  Call,
  CallFailed,
  type BegunCall,
  type CallListener,
  type Failure,
  type ServiceFrame,
} from './call.js';
import { canStream, Duplex, openMicrophone } from './duplex.js';
import { canListen, Ear, microphoneFailure, microphoneProblem, type EarFailure } from './ear.js';
import type { Strings } from './strings.js';
import type { CallMode, View, ViewListener } from './view.js';
import { Voice } from './voice.js';

export interface WidgetOptions {
  /** The address of the script that registers the audio processors. */
  script: string;
  strings: Strings;
  /** Of calls with the assistant, in browsers that can. */
  line: 'audio' | 'text';
  /** @throws CallFailed */
  begin(): Promise<BegunCall>;
}

/** What shows a call; the console has another one. */
export type CallView = Pick<
  View,
  | 'answered'
  | 'said'
  | 'setMode'
  | 'showCall'
  | 'showEnd'
  | 'showError'
  | 'showInterim'
  | 'showMuted'
  | 'showStatus'
>;

/** The service's answer to an interruption comes within this time, or it is not allowed. */
const INTERRUPTION_MS = 500;

/** Holds calls with the assistant: what the person does, what the line brings, and who speaks. */
export class Widget implements ViewListener, CallListener {
  private readonly strings: Strings;
  private readonly view: CallView;
  private readonly ear: Ear;
  private voice: Voice;
  private call: Call | null = null;
  /** Null on a text line. */
  private audio: Duplex | null = null;
  private mode: CallMode = 'text';
  private isMuted = false;
  private isStarting = false;
  /** What the service has understood by now of what the person says. */
  private interim = '';

  constructor(
    makeView: (listener: ViewListener) => CallView,
    private readonly options: WidgetOptions,
  ) {
    this.strings = options.strings;
    this.view = makeView(this);
    this.voice = this.makeVoice();
    this.ear = new Ear({
      heard: (text, final) => this.heard(text, final),
      speaking: (on) => this.call?.send({ type: 'speaking', who: 'customer', on }),
      failed: (failure) => this.deaf(failure),
    });
  }

  start(wanted: CallMode): void {
    if (this.isStarting || this.call) return;
    this.isStarting = true;
    void this.begin(wanted).finally(() => (this.isStarting = false));
  }

  say(text: string): void {
    if (!this.audio) this.interrupt();
    this.view.said(text);
    this.call?.send({ type: 'prompt', text, last: true });
  }

  interrupt(): void {
    if (this.audio?.speaks) {
      this.audio.hold(true, INTERRUPTION_MS);
      return this.call?.send({ type: 'interrupt' });
    }
    const heard = this.voice.interrupt();
    if (heard !== null) this.call?.send({ type: 'interrupt', heard });
  }

  mute(): void {
    this.isMuted = !this.isMuted;
    this.view.showMuted(this.isMuted);
    this.attend();
  }

  end(): void {
    this.call?.hangUp();
  }

  frame(frame: ServiceFrame): void {
    switch (frame.type) {
      case 'ready':
        return this.ready(frame);
      case 'language':
        this.voice.language = this.ear.language = frame.tag;
        return;
      case 'text':
        this.view.answered(frame.token, frame.last);
        return this.voice.say(frame.token, frame);
      case 'caption':
        return this.caption(frame);
      case 'clear':
        this.view.answered('', true);
        return this.audio?.clear(frame.place);
    }
  }

  audioCame(audio: ArrayBuffer): void {
    this.audio?.play(audio);
  }

  reconnecting(): void {
    this.audio?.hold(true);
    this.view.showStatus(this.strings.reconnecting);
  }

  reconnected(): void {
    if (this.audio) {
      const { received, played } = this.audio.places;
      this.call?.send({ type: 'received', place: received });
      this.call?.send({ type: 'played', place: played });
      this.audio.hold(false);
    }
    this.attend();
  }

  closed(failure: Failure | null): void {
    this.call = null;
    this.voice.stop();
    this.ear.listen(false);
    this.closeAudio();
    this.view.showEnd(this.strings.ended);
    if (failure) this.view.showError(this.strings[failure]);
  }

  private async begin(wanted: CallMode): Promise<void> {
    this.view.showError('');
    const problem = wanted === 'voice' ? await this.prepareVoice() : null;
    if (problem) return this.view.showError(this.strings[problem]);
    this.view.showStatus(this.strings.connecting);
    try {
      const { url, token, line } = await this.options.begin();
      if (line === 'text') this.closeAudio();
      this.mode = wanted;
      this.isMuted = false;
      this.voice = this.makeVoice();
      // Throws where the page may not open such an address, e.g. `ws:` on a page of `https:`.
      this.call = new Call(line === 'audio' && !this.audio ? `${url}?line=text` : url, token, this);
      this.view.showMuted(false);
      this.view.showCall(wanted);
    } catch (error) {
      this.closeAudio();
      this.view.showStatus('');
      this.view.showError(this.strings[error instanceof CallFailed ? error.failure : 'unreachable']);
    }
  }

  /** By the audio of the line, else by the browser's own speech. @returns why neither can be */
  private async prepareVoice(): Promise<EarFailure | null> {
    const { line, script } = this.options;
    if (line === 'audio' && canStream()) {
      try {
        const stream = await openMicrophone();
        this.audio = await this.openAudio(script, stream);
      } catch (error) {
        return microphoneFailure(error);
      }
    }
    if (this.audio) return null;
    return canListen() ? microphoneProblem() : 'noSpeech';
  }

  /** Null where the browser, or the page's policy, does not let it. */
  private openAudio(script: string, stream: MediaStream): Promise<Duplex | null> {
    return Duplex.open(script, stream, {
      captured: (audio) => this.call?.sendAudio(audio),
      played: (place) => this.call?.send({ type: 'played', place }),
      speaking: () => this.attend(),
      failed: (failure) => this.deaf(failure),
    }).catch(() => {
      for (const track of stream.getTracks()) track.stop();
      return null;
    });
  }

  private closeAudio(): void {
    this.audio?.close();
    this.audio = null;
  }

  /** A second one is from another process, or the line has become another one. */
  private ready(frame: ServiceFrame & { type: 'ready' }): void {
    this.ear.language = this.voice.language = frame.language;
    if (frame.line === 'audio') this.audio?.clear(0);
    else {
      this.closeAudio();
      this.voice.rate = frame.rate;
      if (this.mode === 'voice' && !canListen()) this.deaf('noSpeech');
    }
    this.attend();
  }

  private caption({ who, text, last }: ServiceFrame & { type: 'caption' }): void {
    if (who === 'assistant') return this.view.answered(text, false);
    this.interim = last ? '' : this.interim + text;
    this.view.showInterim(this.interim);
    if (last) this.view.said(text);
  }

  private makeVoice(): Voice {
    const voices = this.mode === 'voice' && 'speechSynthesis' in window ? window.speechSynthesis : null;
    return new Voice(voices, {
      speaking: (on) => {
        this.call?.send({ type: 'speaking', who: 'assistant', on });
        this.attend();
      },
      played: (text) => this.call?.send({ type: 'played', text }),
    });
  }

  private heard(text: string, final: boolean): void {
    this.view.showInterim(final ? '' : text);
    if (final) this.view.said(text);
    this.call?.send({ type: 'prompt', text, last: final });
  }

  /** The call goes on in writing. */
  private deaf(failure: EarFailure): void {
    if (!this.call) return;
    this.mode = 'text';
    this.view.setMode('text');
    this.view.showError(this.strings[failure]);
    this.attend();
  }

  /** Listens while nobody speaks, and says what is going on. */
  private attend(): void {
    if (!this.call) return;
    const { strings, mode, isMuted, voice, audio } = this;
    const speaks = audio?.speaks ?? voice.speaks;
    if (audio) audio.isMuted = isMuted || mode === 'text';
    this.ear.listen(!audio && mode === 'voice' && !isMuted && !speaks);
    if (mode === 'text') return this.view.showStatus(strings.connected);
    const muted = isMuted ? strings.muted : strings.listening;
    this.view.showStatus(speaks ? strings.speaking : muted);
  }
}
