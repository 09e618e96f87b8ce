import type { Channel } from '../../../features/channels/model.ts'
import { showLater } from '../kit/later.tsx'

/**
 * Opens the emoji picker.
 * @param channel where the emoji is to be used
 * @param onPick gets an emoji of Unicode, or `name:id` of a custom one
 */
export const openPicker = (channel: Channel | undefined, onPick: (emoji: string) => void): Promise<void> =>
  showLater(async () => {
    const { Picker } = await import('./picker.tsx')
    return () => <Picker channel={channel} onPick={onPick} />
  })
