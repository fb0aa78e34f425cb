import { useEffect, useRef, useState } from 'react';
import type { CallView, Widget } from '../../../../../widget/widget.js';
import { messageOf } from '#console/api/api-error';
import { loadPart } from '#console/api/load-code';

export interface Line {
  role: 'assistant' | 'customer';
  text: string;
}

export interface TalkState {
  phase: 'ready' | 'call' | 'over';
  callId: number | null;
  mode: 'voice' | 'text';
  isMuted: boolean;
  /** What goes on, in words. */
  status: string;
  error: string;
  /** In the order in which they began. */
  lines: Line[];
  /** What is being understood; not final. */
  interim: string;
}

const NOTHING: TalkState = {
  phase: 'ready',
  callId: null,
  mode: 'voice',
  isMuted: false,
  status: '',
  error: '',
  lines: [],
  interim: '',
};

/** A call with an assistant in the browser: the widget's own code, shown by the console. */
export function useTalk(assistantId: number, variables: Record<string, unknown>) {
  const [state, setState] = useState(NOTHING);
  const talk = useRef<Widget | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      talk.current?.end();
    };
  }, []);

  const start = async (mode: 'voice' | 'text'): Promise<void> => {
    setState(NOTHING);
    const view = viewOf(setState);
    // A tenth of what the page would load: only for who talks.
    const code = await loadPart(() => import('./web-call')).catch((error: unknown) =>
      view.showError(messageOf(error)),
    );
    if (!code || isGone.current) return;
    const { AUDIO_SCRIPT, beginWebCall, stringsFor, Widget: Talk } = code;
    let problem: string | null = null;
    const begin = async () => {
      const call = await beginWebCall(assistantId, variables, (text) => (problem = text));
      setState((now) => ({ ...now, callId: call.call_id }));
      return call;
    };
    talk.current = new Talk(
      () => ({ ...view, showError: (text) => view.showError(text && (problem ?? text)) }),
      { script: AUDIO_SCRIPT, strings: stringsFor('en'), line: 'audio', begin },
    );
    talk.current.start(mode);
  };

  return {
    state,
    start: (mode: 'voice' | 'text') => void start(mode),
    say: (text: string) => talk.current?.say(text),
    mute: () => talk.current?.mute(),
    interrupt: () => talk.current?.interrupt(),
    end: () => talk.current?.end(),
  };
}

function viewOf(setState: (change: (now: TalkState) => TalkState) => void): CallView {
  const set = (changes: Partial<TalkState>): void => setState((now) => ({ ...now, ...changes }));
  let isContinued = false;
  return {
    showCall: (mode) => set({ phase: 'call', mode, lines: [], interim: '', error: '' }),
    setMode: (mode) => set({ mode, ...(mode === 'text' && { interim: '' }) }),
    showEnd: (status) => set({ phase: 'over', status, interim: '' }),
    showMuted: (isMuted) => set({ isMuted }),
    showStatus: (status) => set({ status }),
    showError: (error) => set({ error }),
    showInterim: (interim) => set({ interim }),
    said: (text) => {
      isContinued = false;
      setState((now) => ({ ...now, lines: [...now.lines, { role: 'customer', text }] }));
    },
    answered: (token, last) => {
      const continues = isContinued;
      if (token !== '') setState((now) => ({ ...now, lines: withToken(now.lines, token, continues) }));
      isContinued = !last && (token !== '' || isContinued);
    },
  };
}

function withToken(lines: Line[], token: string, isContinued: boolean): Line[] {
  const last = lines.at(-1);
  if (!isContinued || last?.role !== 'assistant') return [...lines, { role: 'assistant', text: token }];
  return [...lines.slice(0, -1), { ...last, text: last.text + token }];
}
