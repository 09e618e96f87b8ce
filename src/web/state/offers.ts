import { signal } from '@preact/signals'
import type { Offers } from '../../features/discovery/model.ts'
import { call } from './session.ts'

/** What the installation offers; undefined until it has answered. Nothing is shown that is not offered. */
export const offers = signal<Offers | undefined>(undefined)

let asking: Promise<void> | undefined

/** Asks the installation once; after a failure the next call asks again. */
export function askOffers(): void {
  asking ??= call('GET /.well-known/parley').then(
    (answer) => void (offers.value = answer),
    () => void (asking = undefined),
  )
}

/** Whether accounts are made by a form here; so it seems until the installation has answered. */
export const takesRegistrations = (): boolean =>
  offers.value?.password_login !== false && offers.value?.registration !== 'closed'
