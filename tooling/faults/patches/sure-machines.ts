/** Planted defect for `fuzz`: a report of a machine counts even after speech of both sides. */
import 'reflect-metadata';
import { VoicemailService } from '#src/modules/conversations/voicemail.service.js';

VoicemailService.prototype['isPerson'] = async () => false;
