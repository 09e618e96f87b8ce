import { useState } from 'preact/hooks'
import type { Role } from '../../../features/roles/model.ts'
import { expectRole } from '../../state/expected.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { viewAs } from '../../state/view-as.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { closeDialogs, showNote } from '../kit/dialogs.tsx'
import { leaveForm, useUnsaved } from '../kit/unsaved.ts'
import { FormFooter, Switch } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { orAskToOpen } from './openings.ts'
import { RolePermissions } from './permission-fields.tsx'

const DEFAULT_COLOR = '#5b7083'
const ICON_TYPES = 'image/png,image/webp,image/gif,image/avif'

/** The roles of a server, highest first, and a form for one of them. */
export const Roles = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id)
    .toSorted((a, b) => b.position - a.position)
  const [chosenId, setChosen] = useState(roles[0]?.id)
  const { attempt, error } = useAttempt()
  const role = roles.find((candidate) => candidate.id === chosenId) ?? roles[0]
  const mayChange = state.may(server_id, 'manage_roles')
  const create = async () => {
    const created = await attempt(() =>
      call('POST /api/servers/:server_id/roles', { server_id }, { name: settingsWords.roles.new }),
    )
    if (created) setChosen(created.id)
  }
  const look = async (as: Role) => {
    if (!(await attempt(() => viewAs(as).then(() => true)))) return
    closeDialogs()
    go(channelPath(server_id))
  }
  return (
    <div class="split">
      <div>
        <ul>
          {roles.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                class={`row ${each === role ? 'here' : ''}`}
                aria-current={each === role ? 'true' : undefined}
                onClick={() => leaveForm(() => setChosen(each.id))}
              >
                <span class="swatch" style={{ '--tint': each.color ?? undefined }} />
                <bdi>{each.is_everyone ? settingsWords.roles.everyone : withoutBidi(each.name)}</bdi>
              </button>
            </li>
          ))}
        </ul>
        {mayChange ? (
          <button type="button" onClick={() => leaveForm(() => void create())}>
            {settingsWords.roles.make}
          </button>
        ) : null}
        <Refusal error={error} />
      </div>
      {role ? (
        <div class="role">
          {mayChange ? (
            <button type="button" onClick={() => leaveForm(() => void look(role))}>
              {settingsWords.roles.viewAs}
            </button>
          ) : null}
          <RoleForm key={role.id} role={role} />
        </div>
      ) : null}
    </div>
  )
}

const RoleForm = ({ role }: { role: Role }) => {
  const { id: role_id, server_id } = role
  const [name, setName] = useState(role.name)
  const [color, setColor] = useState(role.color)
  const [bits, setBits] = useState(role.permissions)
  const [hoist, setHoist] = useState(role.hoist)
  const [mentionable, setMentionable] = useState(role.mentionable)
  const [self_assignable, setSelfAssignable] = useState(role.self_assignable)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved([name, color, bits, hoist, mentionable, self_assignable])
  const isLocked =
    !state.may(server_id, 'manage_roles') || role.position >= state.highestPosition(server_id, state.me())
  const request = ({ confirm_opens, ...body }: NonNullable<Parameters<typeof call<'PUT /api/roles/:role_id'>>[2]>) =>
    expectRole(role_id, body, () =>
      call('PUT /api/roles/:role_id', { role_id }, confirm_opens ? { ...body, confirm_opens } : body),
    )
  const update = (body: { position: number }) => attempt(() => request(body))
  const save = async (event: Event) => {
    event.preventDefault()
    const appearance = role.is_everyone ? {} : { name, color, hoist, mentionable, self_assignable }
    const change = { ...appearance, permissions: bits }
    await attempt(() =>
      orAskToOpen(
        (confirm_opens) => request(confirm_opens.length > 0 ? { ...change, confirm_opens } : change),
        () => {
          markSaved()
          showNote(words.saved)
        },
      ),
    )
  }
  return (
    <form onSubmit={save}>
      {isLocked ? <p class="quiet">{settingsWords.roles.locked}</p> : null}
      <fieldset disabled={isLocked}>
        {role.is_everyone ? (
          <p class="quiet">{settingsWords.roles.everyoneHint}</p>
        ) : (
          <div class="pair">
            <Field label={settingsWords.roles.name} value={name} onInput={setName} maxLength={100} required />
            <label class="field">
              <span>{settingsWords.roles.color}</span>
              <input
                type="color"
                value={color ?? DEFAULT_COLOR}
                onInput={(event) => setColor(event.currentTarget.value)}
              />
            </label>
          </div>
        )}
        {role.is_everyone ? null : <RoleIconField role={role} />}
        {role.is_everyone ? null : (
          <div class="switches">
            <Switch label={settingsWords.roles.hoist} on={hoist} onChange={setHoist} />
            <Switch label={settingsWords.roles.mentionable} on={mentionable} onChange={setMentionable} />
            {role.bot_id === null ? (
              <Switch label={arrivalWords.selfAssignable} on={self_assignable} onChange={setSelfAssignable} />
            ) : null}
            {self_assignable ? <p class="quiet">{arrivalWords.selfAssignableHint}</p> : null}
          </div>
        )}
        <RolePermissions bits={bits} ownBits={state.permissionsIn(server_id)} onChange={setBits} />
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy}>
          {role.is_everyone ? null : <RoleButtons role={role} update={update} />}
        </FormFooter>
      </fieldset>
    </form>
  )
}

/** The small picture of a role. It is saved at once. */
const RoleIconField = ({ role: { id: role_id, icon_url } }: { role: Role }) => {
  const { attempt, busy, error } = useAttempt()
  const choose = () =>
    choosePicture((file_id) => call('PUT /api/roles/:role_id/icon', { role_id }, { file_id }), attempt, ICON_TYPES)
  return (
    <div>
      <div class="row">
        {icon_url === null ? null : <img class="role-icon" src={icon_url} alt="" />}
        <span class="choices">
          <button type="button" disabled={busy} onClick={choose}>
            {dialogWords.picture.choose}
          </button>
          {icon_url === null ? null : (
            <button
              type="button"
              disabled={busy}
              onClick={() => void attempt(() => call('DELETE /api/roles/:role_id/icon', { role_id }))}
            >
              {dialogWords.picture.remove}
            </button>
          )}
        </span>
      </div>
      <p class="quiet">{settingsWords.roles.iconHint}</p>
      <Refusal error={error} says={settingsWords.assets} />
    </div>
  )
}

interface RoleButtonsProps {
  role: Role
  update: (body: { position: number }) => Promise<unknown>
}

/** The buttons that move and delete a role. */
const RoleButtons = ({ role, update }: RoleButtonsProps) => {
  const remove = () =>
    askToConfirm({
      title: settingsWords.roles.delete,
      text: settingsWords.roles.deleteText(withoutBidi(role.name)),
      action: settingsWords.roles.delete,
      work: () => call('DELETE /api/roles/:role_id', { role_id: role.id }),
    })
  return (
    <>
      <button type="button" onClick={() => void update({ position: role.position + 1 })}>
        {settingsWords.roles.raise}
      </button>
      <button type="button" disabled={role.position <= 1} onClick={() => void update({ position: role.position - 1 })}>
        {settingsWords.roles.lower}
      </button>
      <button type="button" class="danger" onClick={remove}>
        {settingsWords.roles.delete}
      </button>
    </>
  )
}
