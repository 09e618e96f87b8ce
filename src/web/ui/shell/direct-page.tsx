import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../client/rest.ts'
import { nameOf } from '../../state/names.ts'
import { go, placePath } from '../../state/route.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { Waiting } from './waiting.tsx'

/** Opens the dm with an account, and goes there. */
export const DirectPage = ({ user_id }: { user_id: number }) => {
  follow('shell', 'members')
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    if (!state.isSynced) return
    const existing = [...state.conversations].find(([, conversation]) => conversation.user_id === user_id)
    if (existing) return go(placePath(existing[0]), true)
    call('POST /api/channels/direct', {}, { recipient_ids: [user_id] }).then((channel) => {
      loader.addChannel(channel)
      go(placePath(channel.id), true)
    }, setError)
  }, [user_id, state.isSynced])
  return <Waiting title={nameOf(user_id, '')} error={error} />
}
