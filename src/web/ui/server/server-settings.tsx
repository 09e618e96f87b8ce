import { useState } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import type { Server } from '../../../features/servers/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { go } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { AuditLog } from './audit-log.tsx'
import { Bans } from './bans.tsx'
import { Dialog, Field, FormFooter, Picture, Refusal, Tabs, useAttempt } from '../kit/controls.tsx'
import { Invites } from './invites.tsx'
import { closeDialog, askToConfirm, showNote } from '../kit/dialogs.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { Roles } from './roles.tsx'
import { PermissionExplanation } from './permission-explanation.tsx'

type Tab = keyof typeof words.servers.tabs
/** The tabs, each with the permission that it needs. */
const TABS: [Tab, Permission | undefined][] = [
  ['overview', 'manage_server'],
  ['roles', undefined],
  ['explanation', undefined],
  ['invites', 'manage_server'],
  ['bans', 'ban_members'],
  ['audit', 'view_audit_log'],
]

/** The settings of a server that the own permissions allow. */
export const ServerSettings = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const server = state.servers.get(server_id)
  const allowed = TABS.flatMap(([name, permission]) =>
    permission === undefined || state.may(server_id, permission) ? [name] : [],
  )
  const [tab, setTab] = useState(allowed[0] ?? 'roles')
  if (!server) return null
  const parts: Record<Tab, () => preact.VNode> = {
    overview: () => <Overview server={server} />,
    roles: () => <Roles server_id={server_id} />,
    explanation: () => <PermissionExplanation server_id={server_id} />,
    invites: () => <Invites server_id={server_id} />,
    bans: () => <Bans server_id={server_id} />,
    audit: () => <AuditLog server_id={server_id} />,
  }
  return (
    <Dialog title={words.servers.settingsOf(withoutBidi(server.name))} onClose={closeDialog} class="settings">
      <Tabs tabs={allowed.map((name) => [name, words.servers.tabs[name]])} tab={tab} onTab={setTab} />
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
    if (await put({ name, description })) showNote(words.saved)
  }
  const chooseIcon = () => choosePicture((icon_file_id) => put({ icon_file_id }), attempt)
  return (
    <>
      <form onSubmit={save}>
        <div class="row">
          <Picture id={server_id} name={server.name} file_id={server.icon_file_id} size={72} />
          <span class="choices">
            <button type="button" onClick={chooseIcon}>
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
        <FormFooter submit={words.save} busy={busy} />
      </form>
      {server.owner_id === state.me() ? <Ownership server={server} /> : null}
    </>
  )
}

/** Transferring and deleting the server: for the owner. */
const Ownership = ({ server }: { server: Server }) => {
  const { id: server_id } = server
  const [owner_id, setOwner] = useState(0)
  const others = [...(state.members.get(server_id)?.keys() ?? [])].filter((id) => id !== state.me())
  const transfer = () =>
    askToConfirm({
      title: words.servers.transfer,
      text: words.servers.transferText(nameOf(owner_id)),
      action: words.servers.transfer,
      work: () => call('POST /api/servers/:server_id/transfer', { server_id }, { user_id: owner_id }),
    })
  const remove = () =>
    askToConfirm({
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
    <section class="danger-zone">
      <h3>{words.servers.ownership}</h3>
      <div class="row">
        <select
          aria-label={words.servers.newOwner}
          value={owner_id}
          onChange={(event) => setOwner(Number(event.currentTarget.value))}
        >
          <option value={0}>{words.servers.newOwner}</option>
          {others.map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
        <button type="button" disabled={owner_id === 0} onClick={transfer}>
          {words.servers.transfer}
        </button>
      </div>
      <button type="button" class="danger" onClick={remove}>
        {words.servers.delete}
      </button>
    </section>
  )
}
