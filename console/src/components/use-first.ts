import { useState } from 'react';

/** The first value that was known. What a page chose by itself stays chosen when its list is read again. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first ?? value;
}
