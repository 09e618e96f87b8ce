import { call, loader, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { tellRefusal } from '../kit/dialogs.tsx'

/** Makes a message the answer of its post, or no longer if it is. */
export function toggleAnswer({ id, channel_id }: Entry): void {
  const answer_message_id = state.channels.get(channel_id)?.answer_message_id === id ? null : id
  tellRefusal(
    call('PUT /api/channels/:channel_id', { channel_id }, { answer_message_id }).then((post) =>
      loader.replaceThread(post),
    ),
  )
}
