import { useEffect, useState } from 'preact/hooks'
import { holds, type Permission } from '../../../core/permissions.ts'
import type { Overwrite, Role } from '../../../features/roles/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { permissionWords } from '../../words/permissions.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { leaveForm, useUnsaved } from '../kit/unsaved.ts'
import { orAskToOpen } from './openings.ts'
import { ChannelPermissions } from './permission-fields.tsx'
import { PrivateChannel } from './private-channel.tsx'

/** Overwrites of a channel or category, role by role. */
export const ChannelAccess = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const { attempt, error } = useAttempt()
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === channel.server_id)
    .toSorted((a, b) => a.position - b.position)
  const [chosenId, setChosen] = useState(roles[0]?.id)
  useEffect(() => void attempt(() => loader.overwrites(channel.id)), [channel.id])
  const role = roles.find((each) => each.id === chosenId)
  const rows = state.overwrites.get(channel.id)
  const row = rows?.find((each) => each.role_id === role?.id)
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  return (
    <>
      {channel.type === 'category' ? <p class="quiet">{settingsWords.channels.ofCategory}</p> : null}
      {category && rows ? (
        <p class="quiet">
          {(rows.length === 0 ? settingsWords.channels.follows : settingsWords.channels.followsBesides)(
            withoutBidi(category.name),
          )}
        </p>
      ) : null}
      {channel.type === 'category' ? null : <PrivateChannel channel={channel} />}
      <SelectField
        label={settingsWords.roles.title}
        value={chosenId}
        options={roles.map((each) => [
          each.id,
          each.is_everyone ? settingsWords.roles.everyone : withoutBidi(each.name),
        ])}
        onChange={(id) => leaveForm(() => setChosen(id))}
      />
      <Refusal error={error} />
      {role && rows ? (
        <OverwriteForm key={`${role.id} ${row?.allow} ${row?.deny}`} channel={channel} role={role} row={row} />
      ) : null}
    </>
  )
}

interface OverwriteFormProps {
  channel: ServerChannel
  role: Role
  row: Overwrite | undefined
}

const OverwriteForm = ({ channel, role, row }: OverwriteFormProps) => {
  const [bits, setBits] = useState({ allow: row?.allow ?? 0, deny: row?.deny ?? 0 })
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(bits)
  const target = { channel_id: channel.id, role_id: role.id }
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  const above = category && state.overwrites.get(category.id)?.find((each) => each.role_id === role.id)
  const inheritedOf = (name: Permission): string => {
    const decision = above && holds(above.allow, name) ? 'allow' : above && holds(above.deny, name) ? 'deny' : 'inherit'
    if (category && decision !== 'inherit')
      return settingsWords.channels.inherited[decision](withoutBidi(category.name))
    return permissionWords.inServer(holds(role.permissions, name))
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const request = async (confirm_opens: number[]) => {
      const body = { ...bits, confirm_opens }
      if (bits.allow + bits.deny > 0) await call('PUT /api/channels/:channel_id/permissions/:role_id', target, body)
      else if (row) await call('DELETE /api/channels/:channel_id/permissions/:role_id', target, { confirm_opens })
    }
    await attempt(() =>
      orAskToOpen(request, () => {
        markSaved()
        showNote(words.saved)
      }),
    )
  }
  return (
    <form onSubmit={save}>
      <ChannelPermissions bits={bits} onChange={setBits} inheritedOf={inheritedOf} />
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}
