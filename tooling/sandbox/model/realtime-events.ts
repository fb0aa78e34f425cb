import type { SchemaNode } from './chat-request.js';

/** The client's events, limited to the fields of the scripted model. Their form: realtime-rules.ts. */
export type ClientEvent = { event_id?: string } & (
  | { type: 'session.update'; session: SessionUpdate }
  | { type: 'input_audio_buffer.append'; audio: string }
  | { type: 'input_audio_buffer.commit' }
  | { type: 'input_audio_buffer.clear' }
  | { type: 'conversation.item.create'; item: NewItem; previous_item_id?: string | null }
  | { type: 'conversation.item.truncate'; item_id: string; content_index: number; audio_end_ms: number }
  | { type: 'conversation.item.delete'; item_id: string }
  | { type: 'response.create'; response?: ResponseParams }
  | { type: 'response.cancel'; response_id?: string }
);

export interface FunctionTool {
  type: 'function';
  name: string;
  description?: string;
  parameters?: SchemaNode;
}

export interface TurnDetection {
  type: 'server_vad' | 'semantic_vad';
  create_response?: boolean;
  interrupt_response?: boolean;
  silence_duration_ms?: number;
  threshold?: number;
  prefix_padding_ms?: number;
  eagerness?: 'low' | 'medium' | 'high' | 'auto';
}

export interface AudioFormatSpec {
  type: 'audio/pcm' | 'audio/pcmu' | 'audio/pcma';
  rate?: number;
}

export interface SessionUpdate {
  type: 'realtime';
  instructions?: string;
  tools?: FunctionTool[];
  tool_choice?: ToolChoice;
  output_modalities?: string[];
  max_output_tokens?: number | 'inf';
  audio?: {
    input?: {
      format?: AudioFormatSpec;
      noise_reduction?: { type: 'near_field' | 'far_field' } | null;
      transcription?: { model: string; language?: string; prompt?: string } | null;
      turn_detection?: TurnDetection | null;
    };
    output?: { format?: AudioFormatSpec; voice?: string; speed?: number };
  };
}

export type ToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; name: string };

export interface ResponseParams {
  conversation?: 'auto' | 'none';
  instructions?: string;
  input?: NewItem[];
  tools?: FunctionTool[];
  tool_choice?: ToolChoice;
  metadata?: Record<string, string> | null;
  max_output_tokens?: number | 'inf';
  output_modalities?: string[];
}

export type NewItem = { id?: string } & (
  | {
      type: 'message';
      role: 'user' | 'assistant' | 'system';
      content: { type: string; text?: string; transcript?: string }[];
    }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string }
);
