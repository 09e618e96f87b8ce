import { deviceOf } from '../../../core/device.ts'
import type { Events } from '../../../core/events.ts'
import { call } from '../../state/session.ts'
import { showNote } from '../kit/dialogs.tsx'

const SHOWN_MS = 20_000

const wordsOf = async () => (await import('../../words/account.ts')).accountWords

/** Shows a login from a new device. */
export async function tellLogin({ user_agent, ip }: Events['session.created']): Promise<void> {
  const { newLogin, unknownDevice } = await wordsOf()
  showNote(newLogin({ device: deviceOf(user_agent) ?? unknownDevice, ip }), SHOWN_MS)
}

/** Shows that another session, or a login, has changed the login methods. */
export async function tellSecurity({ change, session_id }: Events['security.changed']): Promise<void> {
  const sessions = await call('GET /api/auth/sessions').catch(() => [])
  if (sessions.some(({ id, current }) => current && id === session_id)) return
  showNote((await wordsOf()).securityChanged[change], SHOWN_MS)
}
