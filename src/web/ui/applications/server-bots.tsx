import { useEffect, useState } from 'preact/hooks'
import { holds, permissionNames } from '../../../core/permissions.ts'
import type { AddedApplication } from '../../../features/applications/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { applicationWords } from '../../words/applications.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { Picture } from '../kit/controls.tsx'
import { askToConfirm } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const PAGE = 100

/** What a bot may do in the server as a whole, in words. */
function mayDo({ permissions }: AddedApplication): string {
  if (holds(permissions, 'administrator')) return applicationWords.mayEverything
  const names = permissionNames.filter((name) => holds(permissions, name))
  return names.map((name) => settingsWords.permissions[name][0]).join(' · ') || applicationWords.mayNothing
}

/** The bots of a server, and what each may do. */
export const ServerBots = ({ server_id }: { server_id: number }) => {
  const [bots, setBots] = useState<AddedApplication[]>([])
  const [ended, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const more = async () => {
    const query = { server_id, limit: PAGE, after: bots.at(-1)?.application.id ?? 0 }
    const rows = await attempt(() => call('GET /api/servers/:server_id/applications', query))
    if (!rows) return
    setBots((known) => [...known, ...rows])
    setEnded(rows.length < PAGE)
  }
  useEffect(() => void more(), [server_id])
  const kick = (user_id: number, name: string) =>
    askToConfirm({
      title: applicationWords.kickOf(name),
      text: applicationWords.kickText,
      action: applicationWords.kick,
      work: async () => {
        await call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }, {})
        setBots((known) => known.filter(({ application }) => application.id !== user_id))
      },
    })
  return (
    <>
      {ended && bots.length === 0 ? (
        <Empty icon="link" title={applicationWords.noBots} text={applicationWords.noBotsText} />
      ) : null}
      <ul class="table">
        {bots.map((added) => {
          const { bot, owner } = added.application
          const name = withoutBidi(bot.display_name)
          return (
            <li key={bot.id} class="row person application">
              <Picture id={bot.id} name={bot.display_name} file_id={bot.avatar_file_id} size={36} />
              <span>
                <bdi>{name}</bdi>
                {owner ? <small>{applicationWords.by(withoutBidi(owner.display_name))}</small> : null}
                <small>{mayDo(added)}</small>
              </span>
              {state.may(server_id, 'kick_members') ? (
                <button type="button" class="danger" onClick={() => kick(bot.id, name)}>
                  {applicationWords.kick}
                </button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <Refusal error={error} />
      {ended ? null : (
        <button type="button" disabled={busy} onClick={() => void more()}>
          {words.more}
        </button>
      )}
    </>
  )
}
