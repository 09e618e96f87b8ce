import { useState } from 'preact/hooks'
import { actingPermissions, bitOf, type Permission, holds, union, without } from '../../../core/permissions.ts'
import type { Role } from '../../../features/roles/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { askToConfirm, leaveForm, showNote, useUnsaved } from '../kit/dialogs.tsx'
import { Field, FormFooter, Refusal, Switch, useAttempt } from '../kit/forms.tsx'

const DEFAULT_COLOR = '#5b7083'

/** The sum with one permission set or cleared. */
export const withBit = (sum: number, bit: Permission, on: boolean): number =>
  on ? union(sum, bitOf(bit)) : without(sum, bitOf(bit))

/** The roles of a server, highest first, and a form for one of them. */
export const Roles = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id)
    .toSorted((a, b) => b.position - a.position)
  const [chosen, setChosen] = useState(roles[0]?.id)
  const { attempt, error } = useAttempt()
  const role = roles.find((candidate) => candidate.id === chosen) ?? roles[0]
  const mayChange = state.may(server_id, 'manage_roles')
  const create = async () => {
    const made = await attempt(() =>
      call('POST /api/servers/:server_id/roles', { server_id }, { name: words.roles.new }),
    )
    if (made) setChosen(made.id)
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
                <bdi>{each.is_everyone ? words.roles.everyone : withoutBidi(each.name)}</bdi>
              </button>
            </li>
          ))}
        </ul>
        {mayChange ? (
          <button type="button" onClick={() => leaveForm(() => void create())}>
            {words.roles.make}
          </button>
        ) : null}
        <Refusal error={error} />
      </div>
      {role ? <RoleForm key={role.id} role={role} /> : null}
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
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved([name, color, bits, hoist, mentionable])
  const locked = !state.may(server_id, 'manage_roles') || role.position >= state.highestPosition(server_id, state.me())
  const put = (body: Parameters<typeof call<'PUT /api/roles/:role_id'>>[2]) =>
    attempt(() => call('PUT /api/roles/:role_id', { role_id }, body))
  const save = async (event: Event) => {
    event.preventDefault()
    const appearance = role.is_everyone ? {} : { name, color, hoist, mentionable }
    if (!(await put({ ...appearance, permissions: bits }))) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      {locked ? <p class="quiet">{words.roles.locked}</p> : null}
      <fieldset disabled={locked}>
        {role.is_everyone ? (
          <p class="quiet">{words.roles.everyoneHint}</p>
        ) : (
          <div class="pair">
            <Field label={words.roles.name} value={name} onInput={setName} maxLength={100} required />
            <label class="field">
              <span>{words.roles.color}</span>
              <input
                type="color"
                value={color ?? DEFAULT_COLOR}
                onInput={(event) => setColor(event.currentTarget.value)}
              />
            </label>
          </div>
        )}
        {role.is_everyone ? null : (
          <div class="switches">
            <Switch label={words.roles.hoist} on={hoist} onChange={setHoist} />
            <Switch label={words.roles.mentionable} on={mentionable} onChange={setMentionable} />
          </div>
        )}
        <PermissionGrid bits={bits} held={state.permissionsIn(server_id)} onChange={setBits} />
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy}>
          {role.is_everyone ? null : <RoleButtons role={role} put={put} />}
        </FormFooter>
      </fieldset>
    </form>
  )
}

interface RoleButtonsProps {
  role: Role
  put: (body: { position: number }) => Promise<unknown>
}

/** The buttons that move and delete a role. */
const RoleButtons = ({ role, put }: RoleButtonsProps) => {
  const remove = () =>
    askToConfirm({
      title: words.roles.delete,
      text: words.roles.deleteText(withoutBidi(role.name)),
      action: words.roles.delete,
      work: () => call('DELETE /api/roles/:role_id', { role_id: role.id }),
    })
  return (
    <>
      <button type="button" onClick={() => void put({ position: role.position + 1 })}>
        {words.roles.raise}
      </button>
      <button type="button" disabled={role.position <= 1} onClick={() => void put({ position: role.position - 1 })}>
        {words.roles.lower}
      </button>
      <button type="button" class="danger" onClick={remove}>
        {words.roles.delete}
      </button>
    </>
  )
}

interface PermissionGridProps {
  bits: number
  /** The own permissions: no other one can be given. */
  held: number
  onChange: (bits: number) => void
}

/** A checkbox for every permission, with its meaning. */
const PermissionGrid = ({ bits, held, onChange }: PermissionGridProps) => (
  <ul class="grid">
    {actingPermissions.map((name) => (
      <li key={name}>
        <label>
          <input
            type="checkbox"
            checked={holds(bits, name)}
            disabled={!holds(held, name)}
            onChange={(event) => onChange(withBit(bits, name, event.currentTarget.checked))}
          />
          <span>
            {words.permissions[name][0]}
            <small>{words.permissions[name][1]}</small>
          </span>
        </label>
      </li>
    ))}
  </ul>
)
