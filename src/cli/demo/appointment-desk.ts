import { serve, type LocalServer } from './local-server.js';

export interface Enquiry {
  day: string;
  time: string;
}

/** The calendar of the practice: what the assistant's tool asks in the middle of a call. */
export class AppointmentDesk {
  readonly enquiries: Enquiry[] = [];
  private server: LocalServer;

  async open(host: string): Promise<string> {
    this.server = await serve(host, ({ body }) => {
      const { day, time } = JSON.parse(body) as Enquiry;
      this.enquiries.push({ day, time });
      return { available: true, day, time };
    });
    return `${this.server.url}/appointments/check`;
  }

  close(): void {
    this.server.close();
  }
}
