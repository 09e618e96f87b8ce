import { useEffect, useState } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import type { Explanation } from '../../../features/roles/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/controls.tsx'

type Because = Explanation['bits'][number]['because']

const roleName = (id: number): string => {
  const role = state.roles.get(id)
  return role?.is_everyone ? words.roles.everyone : withoutBidi(role?.name ?? '…')
}

const reason = (because: Because): string => {
  if (typeof because === 'string') return words.why[because]
  return 'role' in because ? words.why.role(roleName(because.role)) : words.why.overwrite(roleName(because.overwrite))
}

/** Why somebody can, or cannot, do each thing in a channel: the server names the role or overwrite that decides. */
export const Why = ({ server_id }: { server_id: number }) => {
  follow('members')
  const channels = state.channelsOf(server_id)
  const [user_id, setUser] = useState(state.me())
  const [channel_id, setChannel] = useState(channels[0]?.id ?? 0)
  const [told, setTold] = useState<Explanation>()
  const { attempt, error } = useAttempt()
  useEffect(() => void loader.members(server_id).catch(() => {}), [server_id])
  useEffect(() => {
    if (channel_id === 0) return
    // An answer may come after the question has changed.
    let stale = false
    const asked = { channel_id, user_id }
    void attempt(() => call('GET /api/channels/:channel_id/permissions/explain', asked)).then((answer) => {
      if (!stale) setTold(answer)
    })
    return () => {
      stale = true
    }
  }, [user_id, channel_id])
  const members = [...(state.members.get(server_id)?.keys() ?? [])]
  return (
    <>
      <div class="pair">
        <label class="field">
          <span>{words.why.person}</span>
          <select value={user_id} onChange={(event) => setUser(Number(event.currentTarget.value))}>
            {members.map((id) => (
              <option key={id} value={id}>
                {nameOf(id)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{words.why.channel}</span>
          <select value={channel_id} onChange={(event) => setChannel(Number(event.currentTarget.value))}>
            {channels.map((channel) => (
              <option key={channel.id} value={channel.id}>
                {withoutBidi(channel.name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Refusal error={error} />
      <ul class="table why" aria-live="polite">
        {told?.bits.map(({ name, allowed, because }) => (
          <li key={name} class={`row ${allowed ? 'yes' : 'no'}`}>
            <b>{allowed ? words.why.can : words.why.cannot}</b>
            <span>{words.permissions[name as Permission]?.[0] ?? name}</span>
            <small>{reason(because)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
