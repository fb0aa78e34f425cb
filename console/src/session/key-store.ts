/** The key of this tab, or of this browser where the user wants that. */
const NAME = 'console-key';

export interface KeyState {
  key: string | null;
  /** The API has refused `key`: the pages stay as they are until there is another one. */
  isRefused: boolean;
}

const listeners = new Set<() => void>();
let state: KeyState = {
  key: takeFromAddress() ?? sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME),
  isRefused: false,
};

/** `#key=…` of the link that the service prints. It must not stay in the address, the history or a copied link. */
function takeFromAddress(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  sessionStorage.setItem(NAME, key);
  return key;
}

export const keyStore = {
  get: (): KeyState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  signIn(key: string, { isKept }: { isKept: boolean }): void {
    (isKept ? localStorage : sessionStorage).setItem(NAME, key);
    (isKept ? sessionStorage : localStorage).removeItem(NAME);
    change({ key, isRefused: false });
  },
  signOut(): void {
    sessionStorage.removeItem(NAME);
    localStorage.removeItem(NAME);
    change({ key: null, isRefused: false });
  },
  /** @param key the one that was refused: the user may have entered another one since */
  refuse(key: string | null): void {
    if (key === state.key && !state.isRefused) change({ key, isRefused: true });
  },
};

function change(next: KeyState): void {
  state = next;
  for (const listener of listeners) listener();
}
