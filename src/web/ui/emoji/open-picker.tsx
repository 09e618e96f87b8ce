import type { Channel } from '../../../features/channels/model.ts'
import { showDialog, showNote } from '../kit/dialogs.tsx'
import { words } from '../../words/words.ts'

/**
 * Opens the emoji picker, which is loaded when it is first wanted.
 * @param channel where the emoji is to be used
 * @param onPick gets an emoji of Unicode, or `name:id` of a custom one
 */
export async function openPicker(channel: Channel | undefined, onPick: (emoji: string) => void): Promise<void> {
  try {
    const { Picker } = await import('./picker.tsx')
    showDialog(() => <Picker channel={channel} onPick={onPick} />)
  } catch (error) {
    showNote(words.failed(error instanceof Error ? error.message : String(error)))
  }
}
