import { registerProcessors } from '../../../../../widget/worklet.js';

registerProcessors();
