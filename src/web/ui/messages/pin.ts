import { expectMessage } from '../../state/expected.ts'
import { call } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { actionWords } from '../../words/actions.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { tellRefusal } from '../kit/dialogs.tsx'

/** Pins a message, or unpins it after a question. */
export function togglePin(entry: Entry): void {
  const { id: message_id, channel_id, pinned_at } = entry
  const path = { channel_id, message_id }
  if (pinned_at === null)
    return tellRefusal(
      expectMessage(entry, { pinned_at: new Date().toISOString() }, () =>
        call('PUT /api/channels/:channel_id/pins/:message_id', path),
      ),
    )
  askToConfirm({
    title: actionWords.pins.unpin,
    text: actionWords.pins.unpinText,
    action: actionWords.pins.unpin,
    work: async () =>
      tellRefusal(
        expectMessage(entry, { pinned_at: null }, () =>
          call('DELETE /api/channels/:channel_id/pins/:message_id', path),
        ),
      ),
  })
}
