/** Planted defect for `fuzz`: a report of a machine counts, whoever has spoken. */
import 'reflect-metadata';
import { VoicemailService } from '#src/modules/conversations/voicemail.service.js';

VoicemailService.prototype['isPerson'] = async () => false;
