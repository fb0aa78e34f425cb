/** What the demonstration reads of the service's answers. */
export interface Named {
  id: number;
  name: string;
}

export interface LeadSeen {
  id: number;
  phone_number: string;
  status: string;
}

export interface CallSeen {
  id: number;
  client_phone_number: string;
  status: string;
  duration: number;
  transcript: string;
  evaluation: Record<string, unknown>;
  /** Empty before the first attempt. */
  webhook_response: { error?: string | null };
  carrier_cost: number;
  total_cost: number;
  answered_by: string;
  ended_by: string | null;
}

export interface Data<T> {
  data: T;
}
