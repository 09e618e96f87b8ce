import { holds, permissionNames } from '../../../core/permissions.ts'
import type { AddedApplication } from '../../../features/applications/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { applicationWords } from '../../words/applications.ts'
import { settingsWords } from '../../words/settings.ts'
import { Picture } from '../kit/controls.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { Empty } from '../kit/empty.tsx'
import { Pages, usePages } from '../kit/pages.tsx'

/** Names of a bot's permissions in the server. */
function mayDo({ permissions }: AddedApplication): string {
  if (holds(permissions, 'administrator')) return applicationWords.mayEverything
  const names = permissionNames.filter((name) => holds(permissions, name))
  return names.map((name) => settingsWords.permissions[name][0]).join(' · ') || applicationWords.mayNothing
}

/** The bots of a server, with their permissions. */
export const ServerBots = ({ server_id }: { server_id: number }) => {
  const list = usePages<AddedApplication>(
    (page, last) =>
      call('GET /api/servers/:server_id/applications', { server_id, ...page, after: last?.application.id ?? 0 }),
    server_id,
  )
  const kick = (user_id: number, name: string) =>
    askToConfirm({
      title: applicationWords.kickOf(name),
      text: applicationWords.kickText,
      action: applicationWords.kick,
      work: async () => {
        await call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }, {})
        list.drop(({ application }) => application.id === user_id)
      },
    })
  return (
    <Pages list={list} empty={<Empty icon="link" title={applicationWords.noBots} text={applicationWords.noBotsText} />}>
      {list.rows.map((row) => {
        const { bot, owner } = row.application
        const name = withoutBidi(bot.display_name)
        return (
          <li key={bot.id} class="row person application">
            <Picture id={bot.id} name={bot.display_name} file_id={bot.avatar_file_id} size={36} />
            <span>
              <bdi>{name}</bdi>
              {owner ? <small>{applicationWords.by(withoutBidi(owner.display_name))}</small> : null}
              <small>{mayDo(row)}</small>
            </span>
            {state.may(server_id, 'kick_members') ? (
              <button type="button" class="danger" onClick={() => kick(bot.id, name)}>
                {applicationWords.kick}
              </button>
            ) : null}
          </li>
        )
      })}
    </Pages>
  )
}
