/** Planted defect: a process that takes over a chat ignores the started tools. */
import 'reflect-metadata';
import { ChatTurnsRepository } from '#src/modules/chats/chat-turns.repository.js';

ChatTurnsRepository.prototype.saveFunctionCalls = () => Promise.resolve(true);
