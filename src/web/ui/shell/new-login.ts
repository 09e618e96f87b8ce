import { deviceOf } from '../../../core/device.ts'
import { gateway, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'

const SHOWN_MS = 20_000

/** Tells of logins from new devices, and of those that were missed while this browser was away. */
export const tellNewLogins = (): (() => void) =>
  gateway.listen(({ t, d }) => {
    if (t !== 'session.created' || !state.user) return
    showNote(words.newLogin(deviceOf(d.user_agent) ?? words.unknownDevice, d.ip), SHOWN_MS)
  })
