import { useEffect, useState } from 'preact/hooks'
import { actingPermissions, holds, type Permission } from '../../../core/permissions.ts'
import type { Channel } from '../../../features/channels/model.ts'
import type { Overwrite, Role } from '../../../features/roles/model.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { messageDaysOf } from '../../state/retention.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { askToConfirm, closeDialog, closeDialogs, Dialog, showNote } from '../kit/dialogs.tsx'
import { leaveForm, type Tab, TabbedDialog, useUnsaved } from '../kit/tabbed-dialog.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { RetentionForm } from './retention-form.tsx'
import { SlowmodeField } from './slowmode-field.tsx'
import { withBit } from './roles.tsx'

interface NewChannelProps {
  server_id: number
  type: 'text' | 'voice' | 'category'
  /** The category that the channel goes into. */
  parent_id?: number | null
}

/** The dialog that creates a channel or a category. */
export const NewChannel = ({ server_id, type: given, parent_id = null }: NewChannelProps) => {
  const [name, setName] = useState('')
  const [type, setType] = useState(given)
  const { attempt, busy, error } = useAttempt()
  const create = async (event: Event) => {
    event.preventDefault()
    const channel = await attempt(() =>
      call('POST /api/servers/:server_id/channels', { server_id }, { name, type, parent_id }),
    )
    if (!channel) return
    loader.addChannel(channel)
    closeDialog()
    if (type !== 'category') go(channelPath(server_id, channel.id))
  }
  return (
    <Dialog title={words.channels.make[type]} onClose={closeDialog} class="small">
      <form onSubmit={create}>
        {parent_id === null ? null : (
          <SelectField
            label={settingsWords.channels.kind}
            value={type}
            options={(['text', 'voice'] as const).map((each) => [each, words.channels[each]])}
            onChange={setType}
          />
        )}
        <Field
          label={type === 'category' ? settingsWords.channels.categoryName : settingsWords.channels.name}
          value={name}
          onInput={setName}
          maxLength={100}
          required
          autofocus
        />
        <Refusal error={error} />
        <FormFooter
          submit={type === 'category' ? settingsWords.channels.createCategory : settingsWords.channels.create}
          busy={busy}
        />
      </form>
    </Dialog>
  )
}

/** The settings of a channel or a category: name, topic, category, position, and permission overwrites. */
export const ChannelSettings = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const channel = state.channels.get(channel_id)
  useEffect(() => {
    if (!channel) closeDialogs()
  }, [!channel])
  if (!channel || !isServerChannel(channel)) return null
  const { server_id } = channel
  const tabs: Tab[] = []
  if (state.may(server_id, 'manage_channels'))
    tabs.push([settingsWords.channels.overview, () => <Overview channel={channel} />])
  if (state.may(server_id, 'manage_server'))
    tabs.push([settingsWords.channels.retention, () => <Retention channel={channel} />])
  if (state.may(server_id, 'manage_roles'))
    tabs.push([settingsWords.channels.permissions, () => <Overwrites channel={channel} />])
  return <TabbedDialog title={words.channels.settings(titleOf(channel))} tabs={tabs} onClose={closeDialog} />
}

const Overview = ({ channel }: { channel: ServerChannel }) => {
  const { id: channel_id } = channel
  const [name, setName] = useState(channel.name)
  const [topic, setTopic] = useState(channel.topic)
  const [parent_id, setParent] = useState(channel.parent_id)
  const [slowmode_seconds, setSlowmode] = useState(channel.slowmode_seconds)
  const isCategory = channel.type === 'category'
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved([name, topic, parent_id, slowmode_seconds])
  const put = (body: Parameters<typeof call<'PUT /api/channels/:channel_id'>>[2]) =>
    attempt(() => call('PUT /api/channels/:channel_id', { channel_id }, body))
  const save = async (event: Event) => {
    event.preventDefault()
    const moved = parent_id === channel.parent_id ? {} : { parent_id }
    if (!(await put(isCategory ? { name } : { name, topic, slowmode_seconds, ...moved }))) return
    markSaved()
    showNote(words.saved)
  }
  const removal = isCategory ? settingsWords.channels.deleteCategory : settingsWords.channels.delete
  const remove = () =>
    askToConfirm({
      title: removal,
      text: isCategory
        ? settingsWords.channels.deleteCategoryText(channel.name)
        : settingsWords.channels.deleteText(titleOf(channel)),
      action: removal,
      work: () => call('DELETE /api/channels/:channel_id', { channel_id }),
    })
  return (
    <form onSubmit={save}>
      <Field
        label={isCategory ? settingsWords.channels.categoryName : settingsWords.channels.name}
        value={name}
        onInput={setName}
        maxLength={100}
        required
      />
      {isCategory ? null : (
        <>
          <Field label={settingsWords.channels.topic} value={topic} onInput={setTopic} maxLength={1024} multiline />
          <SelectField
            label={settingsWords.channels.category}
            value={parent_id ?? 0}
            options={[
              [0, settingsWords.channels.noCategory],
              ...state.categoriesOf(channel.server_id).map((each) => [each.id, withoutBidi(each.name)] as const),
            ]}
            onChange={(id) => setParent(id === 0 ? null : id)}
          />
          <SlowmodeField channel={channel} value={slowmode_seconds} onChange={setSlowmode} />
        </>
      )}
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy}>
        <button type="button" onClick={() => void put({ position: channel.position - 1 })}>
          {settingsWords.roles.raise}
        </button>
        <button type="button" onClick={() => void put({ position: channel.position + 1 })}>
          {settingsWords.roles.lower}
        </button>
        <button type="button" class="danger" onClick={remove}>
          {removal}
        </button>
      </FormFooter>
    </form>
  )
}

const Retention = ({ channel }: { channel: Channel }) => (
  <RetentionForm
    days={channel.message_retention_days}
    outer={messageDaysOf({ ...channel, message_retention_days: null })}
    save={(message_retention_days) =>
      call('PUT /api/channels/:channel_id', { channel_id: channel.id }, { message_retention_days })
    }
  />
)

/** The overwrites of each role: allow, deny, or as in the server. */
const Overwrites = ({ channel }: { channel: Channel }) => {
  const { attempt, error } = useAttempt()
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === channel.server_id)
    .toSorted((a, b) => a.position - b.position)
  const [chosen, setChosen] = useState(roles[0]?.id)
  useEffect(() => void attempt(() => loader.overwrites(channel.id)), [channel.id])
  const role = roles.find((each) => each.id === chosen)
  const rows = state.overwrites.get(channel.id)
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  return (
    <>
      {channel.type === 'category' ? <p class="quiet">{settingsWords.channels.ofCategory}</p> : null}
      {category && rows ? (
        <p class="quiet">
          {(rows.length === 0 ? settingsWords.channels.follows : settingsWords.channels.followsBesides)(
            withoutBidi(category.name),
          )}
        </p>
      ) : null}
      <SelectField
        label={settingsWords.roles.title}
        value={chosen}
        options={roles.map((each) => [
          each.id,
          each.is_everyone ? settingsWords.roles.everyone : withoutBidi(each.name),
        ])}
        onChange={(id) => leaveForm(() => setChosen(id))}
      />
      <Refusal error={error} />
      {role && rows ? (
        <OverwriteForm key={role.id} channel={channel} role={role} row={rows.find((row) => row.role_id === role.id)} />
      ) : null}
    </>
  )
}

const CHOICES = ['inherit', 'allow', 'deny'] as const
type Choice = (typeof CHOICES)[number]

const OverwriteForm = ({ channel, role, row }: { channel: Channel; role: Role; row: Overwrite | undefined }) => {
  const [bits, setBits] = useState({ allow: row?.allow ?? 0, deny: row?.deny ?? 0 })
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(bits)
  const choiceOf = (name: Permission): Choice =>
    holds(bits.allow, name) ? 'allow' : holds(bits.deny, name) ? 'deny' : 'inherit'
  const choose = (name: Permission, choice: Choice) =>
    setBits(({ allow, deny }) => ({
      allow: withBit(allow, name, choice === 'allow'),
      deny: withBit(deny, name, choice === 'deny'),
    }))
  const target = { channel_id: channel.id, role_id: role.id }
  const category = channel.parent_id === null ? undefined : state.channels.get(channel.parent_id)
  const above = category && state.overwrites.get(category.id)?.find((each) => each.role_id === role.id)
  const textOf = (name: Permission, choice: Choice): string => {
    if (choice !== 'inherit' || !category) return settingsWords.channels.choices[choice]
    const said = above && holds(above.allow, name) ? 'allow' : above && holds(above.deny, name) ? 'deny' : 'inherit'
    return settingsWords.channels.inherited[said](withoutBidi(category.name))
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const done = await attempt(async () => {
      if (bits.allow + bits.deny > 0) await call('PUT /api/channels/:channel_id/permissions/:role_id', target, bits)
      else if (row) await call('DELETE /api/channels/:channel_id/permissions/:role_id', target)
      return true
    })
    if (!done) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      <ul class="table">
        {actingPermissions.map((name) => (
          <li key={name} class="row">
            <span>{settingsWords.permissions[name][0]}</span>
            <select
              aria-label={settingsWords.permissions[name][0]}
              class={choiceOf(name)}
              value={choiceOf(name)}
              onChange={(event) => choose(name, CHOICES[event.currentTarget.selectedIndex] ?? 'inherit')}
            >
              {CHOICES.map((choice) => (
                <option key={choice} value={choice}>
                  {textOf(name, choice)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}
