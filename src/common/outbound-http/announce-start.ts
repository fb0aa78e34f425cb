import type { Dispatcher } from 'undici';
import { OutboundFailure } from './outbound-failure.js';

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin'> & { origin: string };

/** What `announceStart` reads beside undici's own options. */
export type AnnouncedOptions = RequestOptions & { onStart?: () => void };

/**
 * Calls `onStart` when a connection stands and the request's bytes leave in the same tick. Undici may take a
 * request to a second connection when the first one dies; one whose start was announced is failed instead.
 */
export const announceStart: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options: Dispatcher.DispatchOptions & { onStart?: () => void }, handler) => {
    const { onStart } = options;
    if (!onStart) return dispatch(options, handler);
    let started = false;
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        if (started) return controller.abort(new OutboundFailure('reset'));
        handler.onRequestStart?.(controller, context);
        if (controller.aborted) return;
        started = true;
        onStart();
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
  };
