import { useState } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import type { Server } from '../../../features/access/model.ts'
import { expectServer } from '../../state/expected.ts'
import { isLarge } from '../../state/member-lists.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { go } from '../../state/route.ts'
import { applicationWords } from '../../words/applications.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { automodWords } from '../../words/automod.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { settingsWords } from '../../words/settings.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { words } from '../../words/words.ts'
import { AfkFields } from './afk-fields.tsx'
import { AuditLog } from './audit-log.tsx'
import { Bans } from './bans.tsx'
import { EncryptionField } from './encryption-field.tsx'
import { Picture } from '../kit/controls.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { closeDialog, showNote } from '../kit/dialogs.tsx'
import { inGroup, type Tab, TabbedDialog } from '../kit/tabbed-dialog.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { MemberField } from './member-field.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { Invites } from './invites.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { RetentionForm } from './retention-form.tsx'
import { Roles } from './roles.tsx'
import { permissionTitles } from './permission-fields.tsx'
import { PermissionExplanation } from './permission-explanation.tsx'

const emojiSettings = async (server_id: number) => {
  const { EmojiSettings } = await import('./emoji-settings.tsx')
  return () => <EmojiSettings server_id={server_id} />
}

const soundSettings = async (server_id: number) => {
  const { SoundSettings } = await import('./sound-settings.tsx')
  return () => <SoundSettings server_id={server_id} />
}

const stickerSettings = async (server_id: number) => {
  const { StickerSettings } = await import('./sticker-settings.tsx')
  return () => <StickerSettings server_id={server_id} />
}

const automod = async (server_id: number) => {
  const { Automod } = await import('./automod.tsx')
  return () => <Automod server_id={server_id} />
}

const arrival = async (server_id: number) => {
  const { ArrivalSettings } = await import('./arrival-settings.tsx')
  return () => <ArrivalSettings server_id={server_id} />
}

const webhooks = async (server_id: number) => {
  const { Webhooks } = await import('./webhooks.tsx')
  return () => <Webhooks server_id={server_id} />
}

const serverBots = async (server_id: number) => {
  const { ServerBots } = await import('./server-bots.tsx')
  return () => <ServerBots server_id={server_id} />
}

const reports = async (server_id: number) => {
  const { Reports } = await import('./reports.tsx')
  return () => <Reports server_id={server_id} />
}

const cases = async (server_id: number) => {
  const { Cases } = await import('./cases.tsx')
  return () => <Cases server_id={server_id} />
}

const roster = async (server_id: number) => {
  const { Roster } = await import('./roster.tsx')
  return () => <Roster server_id={server_id} />
}

const { tabs: titles } = settingsWords.servers
const inOverview = [
  words.servers.name,
  dialogWords.picture.choose,
  settingsWords.servers.description,
  moderationWords.appealField,
  settingsWords.servers.systemChannel,
  settingsWords.servers.afkChannel,
  dialogWords.notifications.byDefault,
  settingsWords.retention.field,
  settingsWords.servers.transfer,
  settingsWords.servers.delete,
]

/** The settings of a server that the account's permissions allow. */
export const ServerSettings = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const server = state.servers.get(server_id)
  if (!server) return null
  const tabIf = (permission: Permission, ...tab: Tab): Tab[] => (state.may(server_id, permission) ? [tab] : [])
  const { groups } = settingsWords
  const tabs = [
    ...inGroup(groups.server, [
      ...tabIf('manage_server', titles.overview, () => <Overview server={server} />, inOverview),
      ...tabIf('manage_emoji', settingsWords.emoji.tab, () => <Later load={() => emojiSettings(server_id)} />),
      ...tabIf('manage_emoji', settingsWords.sounds.tab, () => <Later load={() => soundSettings(server_id)} />),
      ...tabIf('manage_emoji', settingsWords.stickers.tab, () => <Later load={() => stickerSettings(server_id)} />),
      ...tabIf(
        state.may(server_id, 'manage_server') ? 'manage_server' : 'moderate_members',
        automodWords.tab,
        () => <Later load={() => automod(server_id)} />,
        [
          automodWords.title,
          automodWords.hits,
          automodWords.verification,
          automodWords.raid,
          ...Object.values(automodWords.triggers),
        ],
      ),
      ...tabIf('view_audit_log', titles.audit, () => <AuditLog server_id={server_id} />),
    ]),
    ...inGroup(groups.people, [
      [titles.roles, () => <Roles server_id={server_id} />, permissionTitles],
      [titles.explanation, () => <PermissionExplanation server_id={server_id} />],
      ...tabIf('manage_server', arrivalWords.tab, () => <Later load={() => arrival(server_id)} />, [
        arrivalWords.rules,
        arrivalWords.questions,
        arrivalWords.welcomeScreen,
        arrivalWords.template,
      ]),
      ...tabIf('manage_server', titles.invites, () => <Invites server_id={server_id} />),
      ...tabIf('ban_members', titles.bans, () => <Bans server_id={server_id} />),
    ]),
    ...inGroup(moderationWords.group, [
      ...tabIf('moderate_members', moderationWords.members.tab, () => <Later load={() => roster(server_id)} />),
      ...tabIf('moderate_members', moderationWords.reportsTab, () => <Later load={() => reports(server_id)} />),
      ...tabIf('moderate_members', moderationWords.casesTab, () => <Later load={() => cases(server_id)} />),
    ]),
    ...inGroup(groups.connections, [
      ...tabIf('manage_webhooks', webhookWords.tab, () => <Later load={() => webhooks(server_id)} />, [
        webhookWords.title,
      ]),
      [applicationWords.bots, () => <Later load={() => serverBots(server_id)} />],
    ]),
  ]
  return (
    <TabbedDialog
      title={settingsWords.servers.settingsOf(withoutBidi(server.name))}
      tabs={tabs}
      onClose={closeDialog}
    />
  )
}

const Overview = ({ server }: { server: Server }) => {
  const [name, setName] = useState(server.name)
  const [description, setDescription] = useState(server.description)
  const { attempt, busy, error } = useAttempt()
  const [system_channel_id, setSystemChannel] = useState(server.system_channel_id)
  const [appeal, setAppeal] = useState(server.appeal_contact ?? '')
  const [afk, setAfk] = useState({ afk_channel_id: server.afk_channel_id, afk_minutes: server.afk_minutes })
  const markSaved = useUnsaved([name, description, system_channel_id, appeal, afk.afk_channel_id, afk.afk_minutes])
  const { id: server_id } = server
  const texts = state
    .channelsOf(server_id)
    .filter(({ type }) => type === 'text')
    .map((each): [number, string] => [each.id, titleOf(each)])
  const update = (body: Parameters<typeof call<'PUT /api/servers/:server_id'>>[2]) =>
    attempt(() => expectServer(server_id, body, () => call('PUT /api/servers/:server_id', { server_id }, body)))
  const save = async (event: Event) => {
    event.preventDefault()
    if (
      !(await update({
        name,
        description,
        ...(system_channel_id === server.system_channel_id ? {} : { system_channel_id }),
        ...(afk.afk_channel_id === server.afk_channel_id ? {} : { afk_channel_id: afk.afk_channel_id }),
        ...(afk.afk_minutes === server.afk_minutes ? {} : { afk_minutes: afk.afk_minutes }),
        ...(appeal === (server.appeal_contact ?? '') ? {} : { appeal_contact: appeal.trim() || null }),
      }))
    )
      return
    markSaved()
    showNote(words.saved)
  }
  const chooseIcon = () => choosePicture((icon_file_id) => update({ icon_file_id }), attempt)
  return (
    <>
      <form onSubmit={save}>
        <div class="row server-picture">
          <Picture id={server_id} name={server.name} file_id={server.icon_file_id} size={72} />
          <span class="choices">
            <button type="button" onClick={chooseIcon}>
              {dialogWords.picture.choose}
            </button>
            {server.icon_file_id === null ? null : (
              <button type="button" onClick={() => void update({ icon_file_id: null })}>
                {dialogWords.picture.remove}
              </button>
            )}
          </span>
        </div>
        <Field label={words.servers.name} value={name} onInput={setName} maxLength={100} required />
        <Field
          label={settingsWords.servers.description}
          value={description}
          onInput={setDescription}
          maxLength={1024}
          multiline
        />
        <Field label={moderationWords.appealField} value={appeal} onInput={setAppeal} maxLength={200} />
        <SelectField
          label={settingsWords.servers.systemChannel}
          value={system_channel_id ?? 0}
          options={[[0, settingsWords.servers.noSystemChannel], ...texts]}
          onChange={(id) => setSystemChannel(id || null)}
        />
        <AfkFields server_id={server_id} value={afk} onChange={setAfk} />
        <EncryptionField
          server_id={server_id}
          value={server.calls_encryption}
          onChange={(calls_encryption) => void update({ calls_encryption })}
        />
        <SelectField
          label={dialogWords.notifications.byDefault}
          value={server.default_notifications}
          options={(['all', 'mentions', 'nothing'] as const).map((level) => [
            level,
            dialogWords.notifications.levels[level],
          ])}
          onChange={(default_notifications) => void update({ default_notifications })}
        />
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
      <RetentionForm
        days={server.message_retention_days}
        outer={state.retention?.message_days ?? undefined}
        save={(message_retention_days) =>
          call('PUT /api/servers/:server_id', { server_id }, { message_retention_days })
        }
      />
      <Later key={`${server.public} ${server.public_indexed}`} load={() => publicServer(server)} silent />
      {server.owner_id === state.me() ? <Ownership server={server} /> : null}
    </>
  )
}

const publicServer = async (server: Server) => {
  const { PublicServer } = await import('./public-forms.tsx')
  return () => <PublicServer server={server} />
}

/** Transferring and deleting the server: for the owner. */
const Ownership = ({ server }: { server: Server }) => {
  const { id: server_id } = server
  const [ownerId, setOwner] = useState(0)
  const others = [...(state.members.get(server_id)?.keys() ?? [])]
    .filter((id) => id !== state.me())
    .map((id): [number, string] => [id, nameOf(id)])
  const transfer = () =>
    askToConfirm({
      title: settingsWords.servers.transfer,
      text: settingsWords.servers.transferText(nameOf(ownerId)),
      action: settingsWords.servers.transfer,
      work: () => call('POST /api/servers/:server_id/transfer', { server_id }, { user_id: ownerId }),
    })
  const remove = () =>
    askToConfirm({
      title: settingsWords.servers.delete,
      text: settingsWords.servers.deleteText,
      action: settingsWords.servers.delete,
      phrase: withoutBidi(server.name),
      work: async () => {
        await call('DELETE /api/servers/:server_id', { server_id })
        go('/app')
      },
    })
  return (
    <section class="danger-zone">
      <h3>{settingsWords.servers.ownership}</h3>
      <div class="row">
        {isLarge(state, server_id) ? (
          <MemberField
            server_id={server_id}
            label={settingsWords.servers.newOwner}
            value={ownerId}
            options={others}
            onChange={setOwner}
          />
        ) : (
          <select
            aria-label={settingsWords.servers.newOwner}
            value={ownerId}
            onChange={(event) => setOwner(Number(event.currentTarget.value))}
          >
            <option value={0}>{settingsWords.servers.newOwner}</option>
            {others.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button type="button" disabled={ownerId === 0} onClick={transfer}>
          {settingsWords.servers.transfer}
        </button>
      </div>
      <button type="button" class="danger" onClick={remove}>
        {settingsWords.servers.delete}
      </button>
    </section>
  )
}
