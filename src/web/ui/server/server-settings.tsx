import { useState } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import type { Server } from '../../../features/servers/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { go } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { AuditLog } from './audit-log.tsx'
import { Bans } from './bans.tsx'
import { Dialog, Field, Picture, Refusal, Tabs, useAttempt } from '../kit/controls.tsx'
import { Invites } from './invites.tsx'
import { confirmed, dismiss, tell } from '../kit/dialogs.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { Roles } from './roles.tsx'
import { Why } from './permission-explanation.tsx'

type Tab = keyof typeof words.servers.tabs
/** What each part of the settings needs. */
const NEEDS: Record<Tab, Permission | undefined> = {
  overview: 'manage_server',
  roles: undefined,
  why: undefined,
  invites: 'manage_server',
  bans: 'ban_members',
  audit: 'view_audit_log',
}

/** What can be set about a server, as far as one may. */
export const ServerSettings = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const server = state.servers.get(server_id)
  const allowed = (Object.keys(NEEDS) as Tab[]).filter((name) => {
    const bit = NEEDS[name]
    return bit === undefined || state.may(server_id, bit)
  })
  const [tab, setTab] = useState<Tab>(allowed[0] ?? 'roles')
  if (!server) return null
  const parts: Record<Tab, () => preact.VNode> = {
    overview: () => <Overview server={server} />,
    roles: () => <Roles server_id={server_id} />,
    why: () => <Why server_id={server_id} />,
    invites: () => <Invites server_id={server_id} />,
    bans: () => <Bans server_id={server_id} />,
    audit: () => <AuditLog server_id={server_id} />,
  }
  return (
    <Dialog title={words.servers.settingsOf(withoutBidi(server.name))} onClose={dismiss} class="settings">
      <Tabs names={allowed.map((name) => [name, words.servers.tabs[name]])} tab={tab} onTab={setTab} />
      <div class="scroll" tabIndex={0}>
        {parts[tab]()}
      </div>
    </Dialog>
  )
}

const Overview = ({ server }: { server: Server }) => {
  const [name, setName] = useState(server.name)
  const [description, setDescription] = useState(server.description)
  const { attempt, busy, error } = useAttempt()
  const { id: server_id } = server
  const put = (body: Parameters<typeof call<'PUT /api/servers/:server_id'>>[2]) =>
    attempt(() => call('PUT /api/servers/:server_id', { server_id }, body))
  const save = async (event: Event) => {
    event.preventDefault()
    if (await put({ name, description })) tell(words.saved)
  }
  const icon = () => choosePicture((icon_file_id) => put({ icon_file_id }), attempt)
  return (
    <>
      <form onSubmit={save}>
        <div class="row">
          <Picture id={server_id} name={server.name} file_id={server.icon_file_id} size={72} />
          <span class="choices">
            <button type="button" onClick={icon}>
              {words.picture.choose}
            </button>
            {server.icon_file_id === null ? null : (
              <button type="button" onClick={() => void put({ icon_file_id: null })}>
                {words.picture.remove}
              </button>
            )}
          </span>
        </div>
        <Field label={words.servers.name} value={name} onInput={setName} maxLength={100} required />
        <Field
          label={words.servers.description}
          value={description}
          onInput={setDescription}
          maxLength={1024}
          multiline
        />
        <Refusal error={error} />
        <footer>
          <button class="primary" disabled={busy}>
            {words.save}
          </button>
        </footer>
      </form>
      {server.owner_id === state.me() ? <Ownership server={server} /> : null}
    </>
  )
}

/** What only the owner can do. */
const Ownership = ({ server }: { server: Server }) => {
  const { id: server_id } = server
  const [heir, setHeir] = useState(0)
  const others = [...(state.members.get(server_id)?.keys() ?? [])].filter((id) => id !== state.me())
  const transfer = () =>
    confirmed({
      title: words.servers.transfer,
      text: words.servers.transferText(nameOf(heir)),
      action: words.servers.transfer,
      work: () => call('POST /api/servers/:server_id/transfer', { server_id }, { user_id: heir }),
    })
  const remove = () =>
    confirmed({
      title: words.servers.delete,
      text: words.servers.deleteText,
      action: words.servers.delete,
      typed: withoutBidi(server.name),
      work: async () => {
        await call('DELETE /api/servers/:server_id', { server_id })
        go('/app')
      },
    })
  return (
    <section class="grave">
      <h3>{words.servers.ownership}</h3>
      <div class="row">
        <select
          aria-label={words.servers.heir}
          value={heir}
          onChange={(event) => setHeir(Number(event.currentTarget.value))}
        >
          <option value={0}>{words.servers.heir}</option>
          {others.map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
        <button type="button" disabled={heir === 0} onClick={transfer}>
          {words.servers.transfer}
        </button>
      </div>
      <button type="button" class="danger" onClick={remove}>
        {words.servers.delete}
      </button>
    </section>
  )
}
