/** What a call in the browser needs, in one piece to load. */
export { stringsFor } from '../../../../../widget/strings.js';
export { Widget } from '../../../../../widget/widget.js';
export { AUDIO_SCRIPT } from './audio-script';
export { beginWebCall } from './begin-web-call';
