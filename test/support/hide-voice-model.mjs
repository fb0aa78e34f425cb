/** The process finds no package `onnxruntime-node`, as in a clone without the optional packages: NODE_OPTIONS=--import=FILE. */
import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === 'onnxruntime-node') throw new Error('Cannot find package onnxruntime-node');
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
