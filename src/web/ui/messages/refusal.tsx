import type { ComponentChildren } from 'preact'
import type { Channel } from '../../../features/access/model.ts'
import { momentOf } from '../../state/format.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Later } from '../kit/later.tsx'

const heldBackIn = async (serverId: number) => {
  const { HeldBackLine } = await import('./held-back-line.tsx')
  return () => <HeldBackLine server_id={serverId} />
}

/** Why the account cannot write here; undefined if it can. */
export function refusalOf(channel: Channel): ComponentChildren {
  const { server_id } = channel
  if (channel.locked && !state.mayIn(channel, 'manage_threads')) return words.threads.lockedHint
  if (!state.mayIn(channel, channel.type === 'thread' ? 'send_in_threads' : 'send_messages')) {
    if (server_id !== null && state.heldBackIn(server_id) !== null)
      return <Later key={server_id} load={() => heldBackIn(server_id)} silent />
    const until = server_id === null ? null : state.timedOutUntil(server_id)
    return until === null ? words.composer.mayNot : words.composer.timedOut(momentOf(until))
  }
  const partner = state.partnerOf(channel)
  const isBlocked = partner !== undefined && state.relations.get(partner)?.state === 'blocked'
  return isBlocked ? words.composer.blocked : undefined
}
