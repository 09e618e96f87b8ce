import { onDevice } from '../../state/stored.ts'

/** Classes of the page that this browser has chosen: density, and the size of the text of messages. */
export const LOOKS = 'parley.looks'

export const storedLooks = (): string => onDevice.getItem(LOOKS) ?? ''

export function applyLooks(): void {
  document.documentElement.className = storedLooks()
}
