import { useEffect, useState } from 'preact/hooks'
import type { Explanation } from '../../../features/roles/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { fetchMembers } from '../../state/member-lists.ts'
import { call, client, follow, state, store } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { MemberField } from './member-field.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** By name: a newer server may have other permissions. */
const titles: Record<string, string[] | undefined> = settingsWords.permissions

type Because = Explanation['bits'][number]['because']

const roleName = (id: number): string => {
  const role = state.roles.get(id)
  return role?.is_everyone ? settingsWords.roles.everyone : withoutBidi(role?.name ?? '…')
}

const reasonOf = (because: Because, channel_id: number): string => {
  if (typeof because === 'string') return settingsWords.explanation[because]
  if ('role' in because) return settingsWords.explanation.role(roleName(because.role))
  if ('member_overwrite_at' in because) {
    const at = because.member_overwrite_at
    return at === channel_id
      ? settingsWords.explanation.member
      : settingsWords.explanation.memberInherited(withoutBidi(state.channels.get(at)?.name ?? '…'))
  }
  const role = roleName(because.overwrite)
  if (because.at === channel_id) return settingsWords.explanation.overwrite(role)
  const category = withoutBidi(state.channels.get(because.at)?.name ?? '…')
  return settingsWords.explanation.inherited({ category, name: role })
}

/** Each permission of a member in a channel, with the role or overwrite that allows or denies it. */
export const PermissionExplanation = ({ server_id }: { server_id: number }) => {
  follow('members')
  const channels = state.channelsOf(server_id)
  const [user_id, setUser] = useState(state.me())
  const [channel_id, setChannel] = useState(channels[0]?.id ?? 0)
  const [explanation, setExplanation] = useState<Explanation>()
  const { attempt, error } = useAttempt()
  useEffect(() => void fetchMembers(client, store, server_id).catch(() => {}), [server_id])
  useEffect(() => {
    if (channel_id === 0 || user_id === 0) return
    // Ignore an answer that comes after another member or channel was chosen.
    let isStale = false
    const query = { channel_id, user_id }
    void attempt(() => call('GET /api/channels/:channel_id/permissions/explain', query)).then((answer) => {
      if (!isStale) setExplanation(answer)
    })
    return () => {
      isStale = true
    }
  }, [user_id, channel_id])
  const bits = explanation?.bits ?? []
  const members = [...(state.members.get(server_id)?.keys() ?? [])]
  return (
    <>
      <div class="pair">
        <MemberField
          server_id={server_id}
          label={settingsWords.explanation.person}
          value={user_id}
          options={members.map((id) => [id, nameOf(id)])}
          onChange={setUser}
        />
        <SelectField
          label={settingsWords.explanation.channel}
          value={channel_id}
          options={channels.map((channel) => [channel.id, withoutBidi(channel.name)])}
          onChange={setChannel}
        />
      </div>
      <Refusal error={error} />
      <ul class="table checks" aria-live="polite">
        {bits.map(({ name, allowed, because }) => (
          <li key={name} class={`row ${allowed ? 'yes' : 'no'}`}>
            <b>{allowed ? settingsWords.explanation.can : settingsWords.explanation.cannot}</b>
            <span>{titles[name]?.[0] ?? name}</span>
            <small>{reasonOf(because, channel_id)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
