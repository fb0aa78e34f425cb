/** Planted defect: a process that takes a chat over does not know which tools were begun. */
import 'reflect-metadata';
import { ChatTurnsRepository } from '#src/modules/chats/chat-turns.repository.js';

ChatTurnsRepository.prototype.saveCalls = () => Promise.resolve(true);
