/** Planted defect: a conversation that resumes in another process begins with the greeting. */
import 'reflect-metadata';
import { ConversationRecordsService } from '#src/modules/conversations/conversation-records.service.js';

const { claimRecords } = ConversationRecordsService.prototype;
ConversationRecordsService.prototype.claimRecords = async function (...given) {
  const records = await claimRecords.apply(this, given);
  if (!records?.earlier) return records;
  return { ...records, earlier: { ...records.earlier, repeatsGreeting: true } };
};
