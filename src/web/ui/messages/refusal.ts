import type { Channel } from '../../../features/access/model.ts'
import { momentOf } from '../../state/format.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'

/** Why the account only looks and reads in a server; undefined if it does not. */
function heldBackText(serverId: number): string | undefined {
  const { held_back, held_until } = state.members.get(serverId)?.get(state.me()) ?? {}
  if (!held_back) return undefined
  const texts = words.composer.heldBack
  if (held_back === 'unverified' && state.servers.get(serverId)?.verification === 'mail') return texts.mail
  return held_until ? texts.until(momentOf(held_until)) : texts[held_back]
}

/** Why the account cannot write here; undefined if it can. */
export function refusalOf(channel: Channel): string | undefined {
  const until = channel.server_id === null ? null : state.timedOutUntil(channel.server_id)
  if (channel.locked && !state.mayIn(channel, 'manage_threads')) return words.threads.lockedHint
  if (!state.mayIn(channel, channel.type === 'thread' ? 'send_in_threads' : 'send_messages')) {
    const heldBack = channel.server_id === null ? undefined : heldBackText(channel.server_id)
    if (heldBack !== undefined) return heldBack
    return until === null ? words.composer.mayNot : words.composer.timedOut(momentOf(until))
  }
  const partner = state.partnerOf(channel)
  const isBlocked = partner !== undefined && state.relations.get(partner)?.state === 'blocked'
  return isBlocked ? words.composer.blocked : undefined
}
