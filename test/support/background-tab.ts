/**
 * Runs in a page before anything else. After `hide()` the page is as in a tab behind others: it says that it is hidden,
 * and its timers run once a second.
 */
export const CAN_HIDE = `{
  const later = globalThis.setTimeout;
  let isHidden = false;
  globalThis.setTimeout = (run, ms = 0, ...values) => {
    const now = performance.now();
    return later(run, isHidden ? Math.ceil((now + ms) / 1_000) * 1_000 - now : ms, ...values);
  };
  globalThis.hide = () => {
    isHidden = true;
    Object.defineProperty(document, 'hidden', { get: () => true });
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  };
}`;
