import { useState } from 'preact/hooks'
import { holds } from '../../../core/permissions.ts'
import { roleOfEveryone } from '../../state/private-channels.ts'
import { follow, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { permissionWords } from '../../words/permissions.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { keyOf, mayHide, rolesBelow, setBits } from './private-channel.tsx'

/** The permissions that the switch takes from everyone. */
const WRITING = ['send_messages', 'create_threads'] as const

/** True if an overwrite keeps everyone from writing in the channel. */
const isClosed = (channel: ServerChannel): boolean => {
  const everyone = roleOfEveryone(channel.server_id)
  return state
    .overwritesIn(channel)
    .some(({ role_id, deny }) => role_id === everyone?.id && holds(deny, 'send_messages'))
}

/** Lets only roles write that manage messages, and the account itself; or everyone again. */
async function setClosed(channel: ServerChannel, isOn: boolean): Promise<void> {
  const { server_id } = channel
  const everyone = roleOfEveryone(server_id)
  if (!everyone) return
  const key = keyOf(server_id)
  const writers = new Set(rolesBelow(server_id).filter((role) => holds(role.permissions, 'manage_messages')))
  if (key && key !== 'none needed') writers.add(key)
  // Last for everyone when it closes and first when it opens, so that the account never lacks what it changes.
  if (!isOn) await setBits(channel, everyone, WRITING, 'inherit')
  for (const role of writers) await setBits(channel, role, WRITING, isOn ? 'allow' : 'inherit')
  if (isOn) await setBits(channel, everyone, WRITING, 'deny')
}

/** The switch for channels in which only moderators write, such as those for news. */
export const ModeratorsOnly = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const { attempt, busy, error } = useAttempt()
  /** The choice that the server has not yet confirmed. */
  const [pending, setPending] = useState<boolean>()
  if (!state.overwrites.has(channel.id)) return null
  const isOn = pending ?? isClosed(channel)
  const change = async () => {
    setPending(!isOn)
    await attempt(() => setClosed(channel, !isOn))
    setPending(undefined)
  }
  return (
    <section class="private">
      <label class="permission">
        <span>
          {permissionWords.moderatorsOnly}
          <small>{permissionWords.moderatorsOnlyText}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={busy || !mayHide(channel.server_id)}
          onChange={() => void change()}
        />
      </label>
      <Refusal error={error} />
    </section>
  )
}
