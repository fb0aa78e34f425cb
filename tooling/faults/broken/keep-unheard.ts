/** Planted defect: a turn that was interrupted keeps the words that were not heard. */
import 'reflect-metadata';
import { CallRecorder } from '#src/modules/conversations/call-recorder.js';

CallRecorder.prototype.turnCut = async () => undefined;
