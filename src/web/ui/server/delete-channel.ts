import { titleOf } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { settingsWords } from '../../words/settings.ts'
import { askToConfirm } from '../kit/ask.tsx'

/** Deletes a channel or category after a confirmation. */
export function askToDeleteChannel(channel: ServerChannel): void {
  const isCategory = channel.type === 'category'
  const title = isCategory ? settingsWords.channels.deleteCategory : settingsWords.channels.delete
  askToConfirm({
    title,
    text: isCategory
      ? settingsWords.channels.deleteCategoryText(channel.name)
      : settingsWords.channels.deleteText(titleOf(channel)),
    action: title,
    work: () => call('DELETE /api/channels/:channel_id', { channel_id: channel.id }),
  })
}
