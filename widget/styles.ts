/** Of the shadow root: nothing of the page's gets in, and no style attribute is used, which a strict policy forbids. */
const CSS = `
:host { all: initial; --accent: #2563eb; --on-accent: #fff; --back: #fff; --text: #111827; --soft: #f3f4f6; --line: #d1d5db; --quiet: #4b5563; --warn: #b91c1c; }
:host([hidden]) { display: none; }
.root { position: fixed; z-index: 2147483000; right: 20px; bottom: 20px; font: 16px/1.5 system-ui, sans-serif; color: var(--text); display: flex; flex-direction: column; align-items: flex-end; gap: 12px; }
.root.left { right: auto; left: 20px; align-items: flex-start; }
.root.top { bottom: auto; top: 20px; flex-direction: column-reverse; }
button { font: inherit; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: var(--text); padding: 8px 14px; cursor: pointer; min-height: 44px; }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.log:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.primary, .launcher { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.launcher { border-radius: 28px; padding: 10px 20px; box-shadow: 0 4px 16px rgb(0 0 0 / .25); text-align: start; display: flex; flex-direction: column; line-height: 1.25; justify-content: center; }
.launcher span { font-weight: 600; }
.launcher small { font-size: 13px; }
.panel { width: 360px; max-width: calc(100vw - 40px); max-height: min(600px, calc(100vh - 110px)); background: var(--back); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 10px 40px rgb(0 0 0 / .3); display: flex; flex-direction: column; overflow: hidden; }
[hidden] { display: none !important; }
header { display: flex; gap: 8px; align-items: center; background: var(--accent); color: var(--on-accent); padding: 12px 14px; }
header div { flex: 1; }
h2, h3, p { margin: 0; font-size: 16px; }
h2 { line-height: 1.3; }
header p { font-size: 13px; }
header button { background: transparent; border-color: transparent; color: var(--on-accent); min-width: 44px; padding: 4px; font-size: 20px; line-height: 1; }
header button:focus-visible { outline-color: var(--on-accent); outline-offset: -4px; }
.start, .call { padding: 14px; display: flex; flex-direction: column; gap: 12px; min-height: 0; }
.row { display: flex; gap: 8px; flex-wrap: wrap; }
.row > * { flex: 1; }
.status { font-size: 14px; color: var(--quiet); }
.error { color: var(--warn); }
.log { overflow-y: auto; flex: 1; min-height: 140px; max-height: 320px; display: flex; flex-direction: column; gap: 8px; }
.log p { padding: 8px 12px; border-radius: 12px; background: var(--soft); align-self: flex-start; max-width: 85%; overflow-wrap: anywhere; white-space: pre-wrap; }
.log .own { background: var(--accent); color: var(--on-accent); align-self: flex-end; }
.log b { font-size: 12px; font-weight: 600; display: block; }
.interim { font-style: italic; font-size: 14px; color: var(--quiet); min-height: 1.5em; }
form { display: flex; gap: 8px; }
input { flex: 1; min-width: 0; font: inherit; padding: 8px 12px; border: 1px solid #6b7280; border-radius: 8px; background: var(--back); color: var(--text); min-height: 44px; box-sizing: border-box; }
input::placeholder { color: var(--quiet); opacity: 1; }
@media (max-width: 480px) { .root { right: 10px; bottom: 10px; } .root.left { left: 10px; } }
`;

const DARK = `:host { --back: #111827; --text: #f3f4f6; --soft: #1f2937; --line: #4b5563; --quiet: #d1d5db; --warn: #fca5a5; }`;

/** @param theme `dark` is always dark, everything else follows the system */
export function styleSheets({ color, theme }: { color?: string; theme?: string }): CSSStyleSheet[] {
  const dark = theme === 'dark' ? DARK : `@media (prefers-color-scheme: dark) { ${DARK} }`;
  return [CSS, dark, accent(color)].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}

/** Only `#rgb` and `#rrggbb`: text on it has to be readable, and nothing else may get into the style sheet. */
function accent(color: string | undefined): string {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color?.trim() ?? '')?.[1];
  if (digits === undefined) return '';
  const channels =
    digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = channels.map((hex) => luminance(parseInt(hex, 16) / 255));
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // WCAG 2: the better contrast of white (1) and of #111827 (0.01).
  const onAccent = 1.05 / (light + 0.05) >= (light + 0.05) / 0.06 ? '#fff' : '#111827';
  return `:host { --accent: #${channels.join('')}; --on-accent: ${onAccent}; }`;
}

const luminance = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
