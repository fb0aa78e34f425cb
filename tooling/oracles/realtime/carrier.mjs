import { EventEmitter } from 'node:events';

const FRAME_BYTES = 160;
const OPEN = 1;

/** One end of a socket without a network; implements both interfaces of event listeners. */
export class EndOfSocket extends EventEmitter {
  OPEN = OPEN;
  readyState = OPEN;
  bufferedAmount = 0;

  /** @param {(frame: object) => void} onSent receives the frames of the subject */
  constructor(onSent) {
    super();
    this.onSent = onSent;
  }

  addEventListener(name, listener) {
    this.on(name, (data) => listener(name === 'message' ? { data: String(data) } : {}));
  }

  send(text) {
    this.onSent(JSON.parse(text));
  }

  /** Delivers a frame to the subject. */
  arrives(frame) {
    this.emit('message', Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), false);
  }

  close() {}
  terminate() {}
}

/** The carrier's side of a media stream: plays 20 ms at each step, and returns the marks that are reached. */
export class Carrier {
  /** All received frames: `bytes` of audio before each. */
  marks = [];
  clears = [];
  received = [];
  played = 0;
  /** Bytes of all received audio. */
  bytes = 0;
  #items = [];
  #frames = 0;

  constructor() {
    this.socket = new EndOfSocket((frame) => this.#receive(frame));
  }

  start() {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    this.socket.arrives({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    this.socket.arrives({ event: 'start', streamSid: 'MZ1', start: { streamSid: 'MZ1', mediaFormat } });
  }

  /** @param {Buffer | null} audio of the customer; null: a lost frame */
  step(audio) {
    const timestamp = String(this.#frames * 20);
    this.#frames += 1;
    if (audio) {
      const media = { track: 'inbound', chunk: '1', timestamp, payload: audio.toString('base64') };
      this.socket.arrives({ event: 'media', streamSid: 'MZ1', media });
    }
    this.#play();
  }

  #play() {
    let left = FRAME_BYTES;
    for (let item = this.#items[0]; item; item = this.#items[0]) {
      if (item.mark === undefined && left === 0) return;
      if (item.mark === undefined) {
        const taken = Math.min(left, item.bytes);
        item.bytes -= taken;
        left -= taken;
        this.played += taken;
        if (item.bytes > 0) return;
      } else this.#return(item.mark);
      this.#items.shift();
    }
  }

  #receive(frame) {
    if (frame.event === 'media') {
      const audio = Buffer.from(frame.media.payload, 'base64');
      this.received.push(audio);
      this.bytes += audio.length;
      this.#items.push({ bytes: audio.length });
    } else if (frame.event === 'mark') {
      this.marks.push(this.bytes);
      this.#items.push({ mark: frame.mark.name });
    } else if (frame.event === 'clear') {
      this.clears.push({ bytes: this.bytes, played: this.played });
      const items = this.#items.splice(0);
      for (const { mark } of items) if (mark !== undefined) this.#return(mark);
    }
  }

  #return(name) {
    this.socket.arrives({ event: 'mark', streamSid: 'MZ1', mark: { name } });
  }
}
