// The bundler makes the address its default export.
// oxlint-disable-next-line import/default
import address from './worklet-entry.ts?worker&url';

/** What the audio thread of the browser loads. */
export const AUDIO_SCRIPT = new URL(address, document.baseURI).href;
