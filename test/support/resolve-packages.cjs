const { join, sep } = require('node:path');

const ROOT = join(__dirname, '..', '..');
const INSTALLED = join(ROOT, 'node_modules') + sep;
const BUILT = join(ROOT, 'dist');
const JOINED = join(BUILT, 'node_modules') + sep;
const IS_PACKAGE = /^(?!node:)[@a-z]/;

/**
 * Tests find packages as built files do: of many files those that `npm run build` has joined (docs/adr/0036), because
 * Jest loads each file anew for each test file. What a joined package requires at run time is the installed one: Jest
 * cannot require a module.
 */
module.exports = (request, options) => {
  const { basedir, conditions = [] } = options;
  if (!IS_PACKAGE.test(request) || !basedir.startsWith(ROOT + sep) || basedir.startsWith(INSTALLED))
    return options.defaultResolver(request, options);
  const isRequired = basedir.startsWith(JOINED) && conditions.includes('require');
  return options.defaultResolver(request, { ...options, basedir: isRequired ? ROOT : BUILT });
};
