import { ApiProperty } from '@nestjs/swagger';
import type { AssistantView } from '../../assistants/assistant-view.js';
import { PUBLIC_WIDGET_SETTINGS } from '../public-widget-settings.js';

const LINES = ['audio', 'text'] as const;
export type LineKind = (typeof LINES)[number];

export class WebCallResponse {
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ description: 'Opens the line of the call, once.' }) token: string;
  @ApiProperty({
    description: 'Where a browser opens the line: a WebSocket address with the token.',
    example: 'wss://calls.example.com/web-calls/TOKEN',
  })
  url: string;
  @ApiProperty({ type: 'integer', description: 'Seconds in which the line has to be opened.', example: 60 })
  expires_in: number;
  @ApiProperty({
    enum: LINES,
    description:
      '`audio`: the browser sends and gets audio, unless it opens `url` with `?line=text` added; `text`: it sends and gets ' +
      'text. What the first frame says counts: docs/use/web-calls.md.',
  })
  line: LineKind;
}

const MAX_TEXT = 500;

export class WidgetResponse {
  @ApiProperty({ description: 'BCP 47.', example: 'en-US' }) language: string;
  @ApiProperty({ enum: LINES, description: 'Of the calls that are begun now.' }) line: LineKind;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Of the assistant's \`widget_settings\`: ${PUBLIC_WIDGET_SETTINGS.map((key) => `\`${key}\``).join(', ')}.`,
  })
  settings: Record<string, string>;
}

export const toWidgetResponse = (assistant: AssistantView, line: LineKind): WidgetResponse => ({
  language: assistant.language.tag,
  line,
  settings: Object.fromEntries(
    PUBLIC_WIDGET_SETTINGS.flatMap((key) => {
      const value = assistant.widgetSettings[key];
      return typeof value === 'string' && value !== ''
        ? [[key, value.slice(0, MAX_TEXT).toWellFormed()]]
        : [];
    }),
  ),
});
