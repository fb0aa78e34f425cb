export const HTML_TYPE = 'text/html; charset=utf-8';
export const CSS_TYPE = 'text/css; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Path of `PUBLIC_URL`, with a slash at its end. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/*$/, '/');

/** Of `htmlPage`. */
export const PAGE_STYLES = `:root { color-scheme: light dark; background: #fff; color: #111827; --link: #1d4ed8; }
@media (prefers-color-scheme: dark) { :root { background: #111827; color: #f3f4f6; --link: #93c5fd; } }
body { font: 18px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { line-height: 1.2; }
li { margin: 0.4rem 0; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;

/** @param base of `basePath` */
export const htmlPage = (base: string, body: string): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Voice Assistant Calling Service</title>
    <link rel="stylesheet" href="${base}widget-preview/page.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main>
${body}
    </main>
  </body>
</html>
`;
