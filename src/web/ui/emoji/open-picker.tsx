import type { Channel } from '../../../features/access/model.ts'
import { showLater } from '../kit/dialogs.tsx'
import type { SendsPicture } from './sends-picture.ts'
import { nameInLanguage } from './written-names.ts'

/** Time that the picker waits for the names in the language of the page. */
const NAMES_MS_MAX = 300

/** Anchor of the picker: the focused message or its buttons, else the composer. Safari focuses no clicked button. */
function standingBeside(opener: Element | null): HTMLElement | undefined {
  const near = opener?.closest<HTMLElement>('.actions, .reactions, .message') ?? undefined
  return near ?? document.querySelector<HTMLElement>('.composer') ?? undefined
}

/**
 * Opens the emoji picker.
 * @param channel the channel in which the emoji is used
 * @param onPick called with an emoji of Unicode, or `name:id` of a custom one
 * @param sends also offers stickers and kept pictures, which are sent at once
 */
export const openPicker = (
  channel: Channel | undefined,
  onPick: (emoji: string) => void,
  sends?: SendsPicture,
): Promise<void> => {
  const opener = standingBeside(document.activeElement)
  return showLater(async () => {
    const patience = new Promise((resolve) => setTimeout(resolve, NAMES_MS_MAX))
    const [{ Picker }] = await Promise.all([import('./picker.tsx'), Promise.race([nameInLanguage(), patience])])
    // Let the loaded modules finish their work in a separate task.
    await new Promise((resolve) => setTimeout(resolve))
    return () => <Picker channel={channel} onPick={onPick} opener={opener} sends={sends} />
  })
}
