import { useEffect, useState } from 'preact/hooks'
import type { Application } from '../../../features/applications/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { channelPath } from '../../state/route.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { applicationWords } from '../../words/applications.ts'
import { firstWords } from '../../words/first-steps.ts'
import { Picture } from '../kit/controls.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Brand } from '../kit/mark.tsx'
import { RolePermissions } from '../server/permission-fields.tsx'

/** The page of a bot's link: what it is, and the form that adds it to a server. */
export const AddApplication = ({ id }: { id: number }) => {
  const [application, setApplication] = useState<Application>()
  const { attempt, error } = useAttempt()
  useEffect(() => {
    void attempt(() => call('GET /api/applications/:application_id', { application_id: id })).then(setApplication)
  }, [id])
  const isUnknown = error?.code === 'not_found'
  return (
    <main class="sign-in">
      <Brand />
      <section class="card invited" aria-busy={!application && !error}>
        {isUnknown ? (
          <Empty icon="link" title={applicationWords.unknown} text={applicationWords.unknownText}>
            <a class="button primary" href="/app">
              {firstWords.invite.back}
            </a>
          </Empty>
        ) : (
          <Refusal error={error} />
        )}
        {application ? <Form application={application} /> : null}
      </section>
    </main>
  )
}

const Form = ({ application: { id, bot, owner, description } }: { application: Application }) => {
  follow('shell')
  useEffect(() => void loader.openAll(), [])
  const servers = [...state.servers.values()].filter(
    (server) => state.may(server.id, 'manage_server') && state.may(server.id, 'manage_roles'),
  )
  const [chosen, setChosen] = useState(0)
  const [permissions, setPermissions] = useState(0)
  const [isAdded, setAdded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const server = servers.find((each) => each.id === chosen)
  const name = withoutBidi(bot.display_name)
  const add = async (event: Event) => {
    event.preventDefault()
    const place = { server_id: chosen, application_id: id }
    const path = 'PUT /api/servers/:server_id/applications/:application_id'
    if (await attempt(() => call(path, place, { permissions }))) setAdded(true)
  }
  const choose = (serverId: number) => {
    setChosen(serverId)
    // Start from none, because the offered permissions differ from server to server.
    setPermissions(0)
  }
  return (
    <>
      <Picture id={id} name={bot.display_name} file_id={bot.avatar_file_id} size={88} />
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {owner ? <p class="quiet">{applicationWords.by(withoutBidi(owner.display_name))}</p> : null}
      {description ? <p class="description">{description}</p> : null}
      {isAdded && server ? (
        <div class="next-steps" role="status">
          <p>{applicationWords.added(withoutBidi(server.name))}</p>
          <a class="button primary" href={channelPath(server.id)}>
            {applicationWords.open(withoutBidi(server.name))}
          </a>
        </div>
      ) : servers.length === 0 ? (
        <p class="quiet">{applicationWords.noServers}</p>
      ) : (
        <form class="add-application" onSubmit={add}>
          <SelectField
            label={applicationWords.addTo}
            value={chosen}
            options={[
              [0, applicationWords.choose],
              ...servers.map((each): [number, string] => [each.id, withoutBidi(each.name)]),
            ]}
            onChange={choose}
          />
          {server ? (
            <fieldset>
              <legend>{applicationWords.permissions}</legend>
              <p class="quiet">{applicationWords.permissionsText}</p>
              <RolePermissions bits={permissions} ownBits={state.permissionsIn(server.id)} onChange={setPermissions} />
            </fieldset>
          ) : null}
          <Refusal error={error} />
          <button class="primary" disabled={busy || !server}>
            {applicationWords.add(name)}
          </button>
        </form>
      )}
      <a href="/app">{firstWords.invite.notNow}</a>
    </>
  )
}
