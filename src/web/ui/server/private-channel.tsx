import { useState } from 'preact/hooks'
import { ApiError } from '../../client/rest.ts'
import { ALL_PERMISSIONS, holds, type Permission } from '../../../core/permissions.ts'
import type { Role } from '../../../features/roles/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { isPrivate, roleOfEveryone } from '../../state/private-channels.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { permissionWords } from '../../words/permissions.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { orAskToOpen } from './openings.ts'
import { withBit } from './permission-topics.ts'

export type Choice = 'allow' | 'deny' | 'inherit'
const VIEW = ['view_channel'] as const

/** Sets permissions in a role's overwrite of a channel by one request, and keeps the others. */
export async function setBits(
  channel: ServerChannel,
  role: Role,
  names: readonly Permission[],
  choice: Choice,
  confirm_opens: number[] = [],
): Promise<void> {
  const row = state.overwrites.get(channel.id)?.find((each) => each.role_id === role.id)
  const set = (sum: number, isOn: boolean) => names.reduce((all, name) => withBit(all, name, isOn), sum)
  const bits = { allow: set(row?.allow ?? 0, choice === 'allow'), deny: set(row?.deny ?? 0, choice === 'deny') }
  const target = { channel_id: channel.id, role_id: role.id }
  if (bits.allow + bits.deny > 0)
    await call('PUT /api/channels/:channel_id/permissions/:role_id', target, { ...bits, confirm_opens })
  else
    await call('DELETE /api/channels/:channel_id/permissions/:role_id', target, { confirm_opens }).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
      },
    )
}

/** The roles of a server that the account may give access to, highest first. */
export const rolesBelow = (server_id: number): Role[] =>
  [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .filter((role) => role.position < state.highestPosition(server_id, state.me()))
    .toSorted((a, b) => b.position - a.position)

/** A role by which the account keeps what it takes from everyone; none is needed by owners and administrators. */
export function keyOf(server_id: number): Role | 'none needed' | undefined {
  if (state.permissionsIn(server_id) === ALL_PERMISSIONS) return 'none needed'
  const ownRoleIds = new Set(state.rolesOf(server_id, state.me()).map(({ id }) => id))
  return rolesBelow(server_id).find((role) => ownRoleIds.has(role.id) && !role.self_assignable)
}

/** True if the account can hide a channel of the server and still see it. */
export const mayHide = (server_id: number): boolean =>
  state.may(server_id, 'manage_roles') && keyOf(server_id) !== undefined

/** Hides a channel from everyone who has no role that shows it, or shows it to everyone. */
export async function setPrivate(channel: ServerChannel, isOn: boolean): Promise<void> {
  const { server_id } = channel
  await loader.overwrites(channel.id)
  const everyone = roleOfEveryone(server_id)
  if (!everyone) return
  const key = keyOf(server_id)
  if (isOn && key && key !== 'none needed') await setBits(channel, key, VIEW, 'allow')
  const isHiddenAround = isPrivate({ ...channel, id: 0 })
  await setBits(
    channel,
    everyone,
    VIEW,
    isOn ? (isHiddenAround ? 'inherit' : 'deny') : isHiddenAround ? 'allow' : 'inherit',
  )
}

/** The switch that makes a channel private, and the roles that see it then. */
export const PrivateChannel = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const { attempt, busy, error } = useAttempt()
  /** Choices that the server has not yet confirmed, by role; 0 is the switch. */
  const [pending, setPending] = useState<Record<number, boolean>>({})
  const { server_id } = channel
  const isOn = pending[0] ?? isPrivate(channel)
  const rows = state.overwrites.get(channel.id)
  if (!rows) return null
  const choose = async (key: number, isOn: boolean, work: () => Promise<void>) => {
    setPending({ [key]: isOn })
    await attempt(work)
    setPending({})
  }
  const sees = (role: Role) => {
    const row = state.overwritesIn(channel).filter((each) => each.role_id === role.id)
    return holds(role.permissions, 'administrator') || row.some(({ allow }) => holds(allow, 'view_channel'))
  }
  return (
    <section class="private">
      <label class="permission">
        <span>
          {permissionWords.private}
          <small>{isOn ? permissionWords.privateOn : permissionWords.privateOff}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={busy || !mayHide(server_id)}
          onChange={() => void choose(0, !isOn, () => setPrivate(channel, !isOn))}
        />
      </label>
      {isOn ? (
        <fieldset>
          <legend>{permissionWords.whoSees}</legend>
          <ul class="chips">
            {rolesBelow(server_id).map((role) => (
              <li key={role.id}>
                <label style={{ '--tint': role.color ?? undefined }}>
                  <input
                    type="checkbox"
                    checked={pending[role.id] ?? sees(role)}
                    disabled={busy || holds(role.permissions, 'administrator')}
                    onChange={() =>
                      void choose(role.id, !sees(role), () =>
                        orAskToOpen(
                          (confirm_opens) =>
                            setBits(channel, role, VIEW, sees(role) ? 'inherit' : 'allow', confirm_opens),
                          () => {},
                        ),
                      )
                    }
                  />
                  <bdi>{withoutBidi(role.name)}</bdi>
                </label>
              </li>
            ))}
          </ul>
          {rolesBelow(server_id).length === 0 ? <p class="quiet">{permissionWords.noRoles}</p> : null}
        </fieldset>
      ) : null}
      <Refusal error={error} />
    </section>
  )
}
