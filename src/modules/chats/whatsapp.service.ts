import { Injectable } from '@nestjs/common';
import { SenderNotFound } from './chats.errors.js';
import type { SendersResponse } from './dto/whatsapp.response.js';

/** WhatsApp without a provider: no account has a sender. */
@Injectable()
export class WhatsappService {
  listSenders(): SendersResponse {
    return { data: [] };
  }

  /** @throws SenderNotFound */
  requireSender(): never {
    throw new SenderNotFound();
  }
}
