export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export const PARAMETER_TYPES = ['string', 'number', 'boolean'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface ToolHeader {
  name: string;
  value: string;
  /** Never shown, to nobody. */
  secret?: boolean;
}

/** A value that the assistant extracts from the conversation and sends to the endpoint. */
export interface ToolParameter {
  name: string;
  type: ParameterType;
  description: string;
}
