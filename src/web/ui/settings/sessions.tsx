import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../../features/sessions/model.ts'
import { momentOf } from '../../state/format.ts'
import { call, logOut } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The browser and system in a user agent. */
function deviceOf(user_agent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|Bun)/.exec(user_agent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(user_agent ?? '')?.[1]
  return (
    [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(' · ') ||
    settingsWords.settings.unknown
  )
}

/** The account's sessions, and the buttons that end them. */
export const Sessions = () => {
  const [sessions, setSessions] = useState<Session[]>()
  const { attempt, error } = useAttempt()
  const load = () =>
    attempt(() => call('GET /api/auth/sessions', { limit: 100 })).then((rows) => rows && setSessions(rows))
  useEffect(() => void load(), [])
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
              <strong>{deviceOf(session.user_agent)}</strong>
              <small>
                {session.ip} ·{' '}
                {session.current
                  ? settingsWords.settings.thisOne
                  : settingsWords.settings.lastUsed(momentOf(session.last_used_at))}
              </small>
            </span>
            {session.current ? null : (
              <button type="button" onClick={() => void end(session.id)}>
                {settingsWords.settings.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <footer>
        <button type="button" class="danger" onClick={() => void logOut(true)}>
          {settingsWords.settings.logOutAll}
        </button>
      </footer>
    </>
  )
}
