import { useEffect, useState } from 'preact/hooks'
import type { Member } from '../../../features/members/model.ts'
import { momentOf } from '../../state/format.ts'
import { follow, state } from '../../state/session.ts'
import { serverNow } from '../../state/server-clock.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { soon, spanOf } from '../../words/plural.ts'

/** Seconds until a time, counted down; 0 once it is over, and without one. */
function useSecondsUntil(time: string | null): number {
  const [, draw] = useState({})
  const leftMs = time === null ? 0 : Date.parse(time) - serverNow()
  const isWaiting = leftMs > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => draw({}), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting, time])
  return isWaiting ? Math.ceil(leftMs / 1000) : 0
}

function reasonOf({
  server_id,
  held_back,
  held_until,
}: Pick<Member, 'server_id' | 'held_back' | 'held_until'>): string {
  const says = dialogWords.heldBack
  if (held_back === 'quarantined')
    return held_until === null ? says.quarantined : says.quarantinedUntil(momentOf(held_until))
  if (held_back === 'pending') return says.pending
  const { verification = 'none', verification_minutes = 0 } = state.servers.get(server_id) ?? {}
  if (verification === 'none') return says.unverified
  return verification === 'mail' ? says.mail : says[verification](spanOf(verification_minutes * 60))
}

/** Why a member who is held back cannot write, and for how long. */
export const HeldBackLine = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const member = state.members.get(server_id)?.get(state.me())
  const seconds = useSecondsUntil(member?.held_until ?? null)
  if (!member?.held_back) return null
  return (
    <>
      {reasonOf(member)} {/* Not read out with every step. */}
      {seconds > 0 && member.held_back === 'unverified' ? (
        <span role="timer">{dialogWords.heldBack.wait(soon(seconds))}</span>
      ) : null}
    </>
  )
}
