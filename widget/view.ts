import type { WidgetSettings } from './settings.js';
import type { Strings } from './strings.js';
import { styleSheets } from './styles.js';

/** What the person does. */
export interface ViewListener {
  start(mode: 'voice' | 'text'): void;
  say(text: string): void;
  mute(): void;
  interrupt(): void;
  end(): void;
}

export type CallMode = 'voice' | 'text';

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The widget in the page: a button, and the panel that it opens. */
export class View {
  private readonly root = element('div', { class: 'root' });
  private readonly panel: HTMLElement;
  private readonly launcher: HTMLButtonElement;
  private readonly start = element('div', { class: 'start' });
  private readonly call = element('div', { class: 'call', hidden: '' });
  private readonly status = element('p', { class: 'status', role: 'status' });
  private readonly error = element('p', { class: 'error', role: 'alert' });
  private readonly interim = element('p', { class: 'interim', 'aria-hidden': 'true' });
  private readonly log: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly buttons: Record<
    'talk' | 'write' | 'mute' | 'interrupt' | 'end' | 'again',
    HTMLButtonElement
  >;
  private readonly form: HTMLFormElement;
  private line: Text | null = null;

  constructor(
    host: HTMLElement,
    private readonly settings: WidgetSettings,
    private readonly strings: Strings,
    listener: ViewListener,
  ) {
    const button = (label: string, act: () => void, look = '') => {
      const made = element('button', { type: 'button', class: look }, label);
      made.addEventListener('click', act);
      return made;
    };
    this.buttons = {
      talk: button(settings.start_button_text ?? strings.talk, () => listener.start('voice'), 'primary'),
      write: button(strings.write, () => listener.start('text')),
      mute: button(strings.mute, () => listener.mute()),
      interrupt: button(strings.interrupt, () => listener.interrupt()),
      end: button(strings.end, () => listener.end()),
      again: button(strings.again, () => this.showStart(), 'primary'),
    };
    this.log = element('div', { class: 'log', role: 'log', 'aria-label': strings.title, tabindex: '0' });
    this.input = element('input', {
      'aria-label': strings.message,
      placeholder: strings.message,
      maxlength: '2000',
    });
    this.input.autocomplete = 'off';
    this.form = element('form', {}, this.input, element('button', { class: 'primary' }, strings.send));
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      this.input.value = '';
      if (text) listener.say(text);
    });
    this.panel = this.makePanel(button(`×`, () => this.toggle(false)));
    this.launcher = this.makeLauncher();
    this.attach(host);
    this.showStart();
  }

  showStart(): void {
    this.start.hidden = false;
    this.call.hidden = true;
    this.showError('');
    this.showStatus('');
    if (!this.panel.hidden) this.buttons.talk.focus();
  }

  /** @param mode `text`: nobody listens, so there is nothing to mute */
  showCall(mode: CallMode): void {
    this.start.hidden = true;
    this.call.hidden = false;
    this.log.replaceChildren();
    this.line = null;
    this.setMode(mode);
    this.form.hidden = this.buttons.end.hidden = false;
    this.buttons.again.hidden = true;
    this.showError('');
    (mode === 'text' ? this.input : this.buttons.mute).focus();
  }

  setMode(mode: CallMode): void {
    this.buttons.mute.hidden = this.buttons.interrupt.hidden = mode === 'text';
    if (mode === 'text') this.showInterim('');
  }

  showEnd(message: string): void {
    const hadFocus = this.call.contains(this.shadow.activeElement);
    this.setMode('text');
    this.form.hidden = this.buttons.end.hidden = true;
    this.buttons.again.hidden = false;
    this.showStatus(message);
    if (hadFocus) this.buttons.again.focus();
  }

  showMuted(isMuted: boolean): void {
    this.buttons.mute.textContent = isMuted ? this.strings.unmute : this.strings.mute;
    this.buttons.mute.setAttribute('aria-pressed', String(isMuted));
  }

  showStatus(text: string): void {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  showError(text: string): void {
    this.error.textContent = text;
    this.error.hidden = text === '';
  }

  /** What is being understood; not final. */
  showInterim(text: string): void {
    this.interim.textContent = text;
  }

  said(text: string): void {
    this.line = null;
    this.addLine('own', this.strings.you).data = text;
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Adds to what the assistant says. */
  answered(token: string, last: boolean): void {
    if (token) {
      this.line ??= this.addLine('', this.strings.assistant);
      this.line.appendData(token);
    }
    if (last) this.line = null;
    this.log.scrollTop = this.log.scrollHeight;
  }

  private get shadow(): ShadowRoot {
    return this.root.getRootNode() as ShadowRoot;
  }

  private addLine(look: string, who: string): Text {
    const text = document.createTextNode('');
    this.log.append(element('p', { class: look }, element('b', {}, who), text));
    return text;
  }

  private makePanel(close: HTMLButtonElement): HTMLElement {
    const { settings, strings, buttons } = this;
    close.setAttribute('aria-label', strings.close);
    const title = element('h2', { id: 'title' }, settings.header_title ?? strings.title);
    const subtitle = element('p', {}, settings.header_subtitle ?? '');
    subtitle.hidden = !settings.header_subtitle;
    const modalTitle = element('h3', {}, settings.modal_title ?? '');
    modalTitle.hidden = !settings.modal_title;
    this.start.append(
      modalTitle,
      element('p', {}, settings.modal_description ?? strings.description),
      element('div', { class: 'row' }, buttons.talk, buttons.write),
    );
    this.call.append(
      this.log,
      this.interim,
      this.form,
      element('div', { class: 'row' }, buttons.mute, buttons.interrupt, buttons.end, buttons.again),
    );
    const messages = element('div', { class: 'start' }, this.status, this.error);
    const panel = element('section', {
      class: 'panel',
      role: 'dialog',
      'aria-labelledby': 'title',
      hidden: '',
    });
    panel.append(
      element('header', {}, element('div', {}, title, subtitle), close),
      this.start,
      this.call,
      messages,
    );
    panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.toggle(false);
    });
    return panel;
  }

  private makeLauncher(): HTMLButtonElement {
    const { settings, strings } = this;
    const launcher = element('button', { type: 'button', class: 'launcher', 'aria-expanded': 'false' });
    launcher.append(element('span', {}, settings.button_main_text ?? strings.open));
    if (settings.button_sub_text) launcher.append(element('small', {}, settings.button_sub_text));
    launcher.addEventListener('click', () => this.toggle(this.panel.hidden !== false));
    return launcher;
  }

  private attach(host: HTMLElement): void {
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = styleSheets(this.settings);
    const position = this.settings.position ?? '';
    this.root.classList.toggle('left', position.includes('left'));
    this.root.classList.toggle('top', position.includes('top'));
    this.root.append(this.panel, this.launcher);
    shadow.append(this.root);
  }

  /** A call goes on while the panel is closed. */
  private toggle(isOpen: boolean): void {
    this.panel.hidden = !isOpen;
    this.launcher.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return this.launcher.focus();
    (this.call.hidden ? this.buttons.talk : this.input).focus();
  }
}
