import { isListed } from '../../state/arrival.ts'
import { go } from '../../state/route.ts'
import { state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { onDevice } from '../../state/stored.ts'

const PLACE = 'parley.place'
/** Start page of the installed app, as in its manifest. */
const START = '/app'

/** True if the start page leads to the last one: phones end hidden apps, and an installed app has no address bar. */
const isApp = (): boolean => matchMedia('(display-mode: standalone), (pointer: coarse)').matches

/** Stores the current page for the next start of the app. */
export const keepPlace = (path: string): void => onDevice.setItem(PLACE, `${state.me()} ${path}`)

/** Opens the last page of the account when the app starts on its start page. */
export function reopenPlace(): void {
  if (!isApp() || location.pathname !== START) return
  const [userId, path = ''] = (onDevice.getItem(PLACE) ?? '').split(' ')
  if (Number(userId) === state.me() && /^\/(app|c)\//.test(path)) go(path, true)
}

/** The channel that a server opens with: the last visited one, or its first text channel. */
export function landingOf(serverId: number): ServerChannel | undefined {
  const texts = state.channelsOf(serverId).filter((channel) => channel.type === 'text')
  const last = Number(onDevice.getItem(`parley.last.${serverId}`))
  return texts.find(({ id }) => id === last) ?? texts.find(({ id }) => isListed(state, id)) ?? texts[0]
}
