import { signal } from '@preact/signals'
import type { Offers } from '../../features/discovery/model.ts'
import { call } from './session.ts'

/** Features that the installation offers; undefined until it has answered. The client hides all others. */
export const offers = signal<Offers | undefined>(undefined)

let asking: Promise<void> | undefined

/** Asks the installation once; after a failure the next call asks again. */
export function askOffers(): void {
  asking ??= call('GET /.well-known/parley').then(
    (answer) => void (offers.value = answer),
    () => void (asking = undefined),
  )
}

/** True if a form registers accounts; assumed until the installation has answered. */
export const takesRegistrations = (): boolean =>
  offers.value?.password_login !== false && offers.value?.registration !== 'closed'
