/** Planted defect: an interrupted turn keeps its unheard words. */
import 'reflect-metadata';
import { CallRecorder } from '#src/modules/conversations/call-recorder.js';

CallRecorder.prototype.truncateTurn = async () => undefined;
