import { useEffect, useState } from 'preact/hooks'
import { holds, type Permission } from '../../../core/permissions.ts'
import type { MemberOverwrite, Overwrite, Role } from '../../../features/roles/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { fetchMembers } from '../../state/member-lists.ts'
import { call, client, follow, loader, state, store } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { permissionWords } from '../../words/permissions.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { MemberField } from './member-field.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { leaveForm, useUnsaved } from '../kit/unsaved.ts'
import { ModeratorsOnly } from './moderators-only.tsx'
import { orAskToOpen } from './openings.ts'
import { ChannelPermissions } from './permission-fields.tsx'
import { PrivateChannel } from './private-channel.tsx'

/** Overwrites of a channel or category, by role or for a single member. */
export const ChannelAccess = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const { attempt, error } = useAttempt()
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === channel.server_id)
    .toSorted((a, b) => a.position - b.position)
  const [chosenId, setChosen] = useState(roles[0]?.id)
  const [memberId, setMember] = useState(0)
  useEffect(() => void attempt(() => loader.overwrites(channel.id)), [channel.id])
  const role = roles.find((each) => each.id === chosenId)
  const rows = state.overwrites.get(channel.id)
  const row = rows?.find((each) => each.role_id === role?.id)
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  const members = useMemberOverwrites(channel, rows)
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
      {channel.type === 'text' ? <ModeratorsOnly channel={channel} /> : null}
      <SelectField
        label={settingsWords.roles.title}
        value={chosenId}
        options={roles.map((each) => [
          each.id,
          each.is_everyone ? settingsWords.roles.everyone : withoutBidi(each.name),
        ])}
        onChange={(id) => leaveForm(() => (setChosen(id), setMember(0)))}
      />
      {members ? (
        <MemberChoice
          server_id={channel.server_id}
          rows={members}
          chosenId={memberId}
          choose={(id) => leaveForm(() => setMember(id))}
        />
      ) : null}
      <Refusal error={error} />
      {memberId > 0 && members ? (
        <MemberForm channel={channel} user_id={memberId} rows={members} />
      ) : role && rows ? (
        <OverwriteForm key={`${role.id} ${row?.allow} ${row?.deny}`} channel={channel} role={role} row={row} />
      ) : null}
    </>
  )
}

/**
 * The overwrites for members of a channel, read again when its permissions change.
 * @param rows the overwrites of roles, which events replace
 */
function useMemberOverwrites(channel: ServerChannel, rows: Overwrite[] | undefined): MemberOverwrite[] | undefined {
  const [found, setFound] = useState<MemberOverwrite[]>()
  const mayRead = state.mayIn(channel, 'manage_roles')
  useEffect(() => {
    if (!mayRead) return
    let isStale = false
    void fetchMembers(client, store, channel.server_id).catch(() => {})
    call('GET /api/channels/:channel_id/permissions/members', { channel_id: channel.id }).then(
      (answer) => isStale || setFound(answer),
      () => {},
    )
    return () => void (isStale = true)
  }, [channel.id, mayRead, rows])
  return mayRead ? found : undefined
}

interface MemberChoiceProps {
  server_id: number
  rows: MemberOverwrite[]
  chosenId: number
  choose: (id: number) => void
}

/** The choice of a member below the account; those with an overwrite, also former members, come first. */
const MemberChoice = ({ server_id, rows, chosenId, choose }: MemberChoiceProps) => {
  follow('members')
  const overwritten = new Map(rows.map(({ user }) => [user.id, withoutBidi(user.display_name)]))
  const own = state.highestPosition(server_id, state.me())
  const others = [...(state.members.get(server_id)?.keys() ?? [])].filter(
    (id) => !overwritten.has(id) && id !== state.me() && state.highestPosition(server_id, id) < own,
  )
  const options: [number, string][] = [
    [0, settingsWords.channels.noMember],
    ...[...overwritten].map(([id, name]): [number, string] => [id, settingsWords.channels.memberHas(name)]),
    ...others.map((id): [number, string] => [id, nameOf(id)]).toSorted(([, a], [, b]) => a.localeCompare(b)),
  ]
  const label = settingsWords.channels.member
  return <MemberField server_id={server_id} label={label} value={chosenId} options={options} onChange={choose} />
}

interface MemberFormProps {
  channel: ServerChannel
  user_id: number
  rows: MemberOverwrite[]
}

const MemberForm = ({ channel, user_id, rows }: MemberFormProps) => {
  const row = rows.find(({ user }) => user.id === user_id)
  const target = { channel_id: channel.id, user_id }
  const path = '/api/channels/:channel_id/permissions/members/:user_id' as const
  return (
    <BitsForm
      key={`member ${user_id} ${row?.allow} ${row?.deny}`}
      row={row}
      inheritedOf={() => settingsWords.channels.byRoles}
      put={(bits) => call(`PUT ${path}`, target, bits)}
      remove={() => call(`DELETE ${path}`, target)}
    />
  )
}

interface OverwriteFormProps {
  channel: ServerChannel
  role: Role
  row: Overwrite | undefined
}

const OverwriteForm = ({ channel, role, row }: OverwriteFormProps) => {
  const target = { channel_id: channel.id, role_id: role.id }
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  const above = category && state.overwrites.get(category.id)?.find((each) => each.role_id === role.id)
  const inheritedOf = (name: Permission): string => {
    const decision = above && holds(above.allow, name) ? 'allow' : above && holds(above.deny, name) ? 'deny' : 'inherit'
    if (category && decision !== 'inherit')
      return settingsWords.channels.inherited[decision](withoutBidi(category.name))
    return permissionWords.inServer(holds(role.permissions, name))
  }
  return (
    <BitsForm
      row={row}
      inheritedOf={inheritedOf}
      put={(bits, confirm_opens) =>
        call('PUT /api/channels/:channel_id/permissions/:role_id', target, { ...bits, confirm_opens })
      }
      remove={(confirm_opens) =>
        call('DELETE /api/channels/:channel_id/permissions/:role_id', target, { confirm_opens })
      }
    />
  )
}

interface BitsFormProps {
  row: { allow: number; deny: number } | undefined
  /** The decision where the overwrite makes none. */
  inheritedOf: (name: Permission) => string
  /** @param confirm_opens channels that the change may open to everybody; only overwrites of roles do */
  put: (bits: { allow: number; deny: number }, confirm_opens: number[]) => Promise<unknown>
  remove: (confirm_opens: number[]) => Promise<unknown>
}

/** The bits of one overwrite; without any it is removed. */
const BitsForm = ({ row, inheritedOf, put, remove }: BitsFormProps) => {
  const [bits, setBits] = useState({ allow: row?.allow ?? 0, deny: row?.deny ?? 0 })
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(bits)
  const save = async (event: Event) => {
    event.preventDefault()
    const request = async (confirm_opens: number[]) => {
      if (bits.allow + bits.deny > 0) await put(bits, confirm_opens)
      else if (row) await remove(confirm_opens)
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
