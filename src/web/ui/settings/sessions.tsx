import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../../features/sessions/model.ts'
import { deviceOf } from '../../../core/device.ts'
import { momentOf } from '../../state/format.ts'
import { call, gateway, logOut } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** Digits of a key that are shown, to tell keys apart. */
const KEY_DIGITS = 16

/** The account's sessions, and the buttons that end them. */
export const Sessions = () => {
  const [sessions, setSessions] = useState<Session[]>()
  const { attempt, error } = useAttempt()
  const load = () =>
    attempt(() => call('GET /api/auth/sessions', { limit: 100 })).then((rows) => rows && setSessions(rows))
  useEffect(() => {
    void load()
    return gateway.listen(({ t }) => void (t === 'session.created' && load()))
  }, [])
  const end = async (id: number) => {
    await attempt(() => call('DELETE /api/auth/sessions/:id', { id }))
    await load()
  }
  return (
    <>
      <Refusal error={error} />
      <ul class="table">
        {sessions?.map((session) => (
          <li key={session.id} class="row">
            <span>
              <strong>{deviceOf(session.user_agent) ?? settingsWords.settings.unknown}</strong>
              <small>
                {session.ip} · {session.current ? `${settingsWords.settings.thisOne} · ` : ''}
                {settingsWords.settings.lastUsed(momentOf(session.last_used_at))}
              </small>
              {session.device_key === null ? null : (
                <small>{settingsWords.settings.callKey(session.device_key.slice(0, KEY_DIGITS))}</small>
              )}
            </span>
            {session.current ? null : (
              <button type="button" onClick={() => void end(session.id)}>
                {settingsWords.settings.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="footer">
        <button type="button" class="danger" onClick={() => void logOut(true)}>
          {settingsWords.settings.logOutAll}
        </button>
      </div>
    </>
  )
}
