import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { expectChannel } from '../../state/expected.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { messageDaysOf } from '../../state/retention.ts'
import { call, follow, state } from '../../state/session.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { forumWords } from '../../words/forums.ts'
import { settingsWords } from '../../words/settings.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { words } from '../../words/words.ts'
import { closeDialog, closeDialogs, showNote } from '../kit/dialogs.tsx'
import { type Tab, TabbedDialog } from '../kit/tabbed-dialog.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { ChannelAccess } from './channel-access.tsx'
import { askToDeleteChannel } from './delete-channel.ts'
import { permissionTitles } from './permission-fields.tsx'
import { orAskToOpen } from './openings.ts'
import { RetentionForm } from './retention-form.tsx'
import { SlowmodeField } from './slowmode-field.tsx'
import { VoiceFields } from './voice-fields.tsx'

const webhooks = async (server_id: number, channel_id: number) => {
  const { Webhooks } = await import('./webhooks.tsx')
  return () => <Webhooks server_id={server_id} channel_id={channel_id} />
}

const forumSettings = async (forum: ServerChannel) => {
  const { ForumSettings } = await import('./forum-settings.tsx')
  return () => <ForumSettings forum={forum} />
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
  if (state.mayIn(channel, 'manage_channels'))
    tabs.push([settingsWords.channels.overview, () => <Overview channel={channel} />, inOverview])
  if (channel.type === 'forum' && state.mayIn(channel, 'manage_channels'))
    tabs.push([forumWords.kind, () => <Later load={() => forumSettings(channel)} />, [forumWords.tags]])
  if (state.may(server_id, 'manage_server'))
    tabs.push([
      settingsWords.channels.retention,
      () => <Retention channel={channel} />,
      [settingsWords.retention.field],
    ])
  if (state.may(server_id, 'manage_roles'))
    tabs.push([settingsWords.channels.permissions, () => <ChannelAccess channel={channel} />, permissionTitles])
  if (channel.type !== 'category' && channel.type !== 'forum' && state.mayIn(channel, 'manage_webhooks'))
    tabs.push([webhookWords.tab, () => <Later load={() => webhooks(server_id, channel_id)} />, [webhookWords.title]])
  return <TabbedDialog title={words.channels.settings(titleOf(channel))} tabs={tabs} onClose={closeDialog} />
}

const { channels: channelWords } = settingsWords
const inOverview = [
  channelWords.name,
  channelWords.topic,
  channelWords.category,
  dialogWords.slowmode.label,
  channelWords.userLimit,
  channelWords.bitrate,
]

const Overview = ({ channel }: { channel: ServerChannel }) => {
  const { id: channel_id } = channel
  const [name, setName] = useState(channel.name)
  const [topic, setTopic] = useState(channel.topic)
  const [parent_id, setParent] = useState(channel.parent_id)
  const [slowmode_seconds, setSlowmode] = useState(channel.slowmode_seconds)
  const isCategory = channel.type === 'category'
  const { attempt, busy, error } = useAttempt()
  const [opt_in, setOptIn] = useState(channel.opt_in_since !== null)
  const [limits, setLimits] = useState({ user_limit: channel.user_limit ?? null, bitrate: channel.bitrate ?? null })
  const markSaved = useUnsaved([name, topic, parent_id, slowmode_seconds, opt_in, limits])
  const update = (body: Parameters<typeof call<'PUT /api/channels/:channel_id'>>[2]) =>
    call('PUT /api/channels/:channel_id', { channel_id }, body)
  const move = (position: number) => attempt(() => update({ position }))
  const save = async (event: Event) => {
    event.preventDefault()
    const parent = parent_id === channel.parent_id ? {} : { parent_id }
    const choice = opt_in === (channel.opt_in_since !== null) ? {} : { opt_in }
    const voice = channel.type === 'voice' ? limits : {}
    const change = isCategory ? { name } : { name, topic, slowmode_seconds, ...voice, ...parent }
    const request = (confirmedIds: number[]) => {
      const confirmation = confirmedIds.length > 0 ? { confirm_opens: confirmedIds } : {}
      return expectChannel(channel_id, change, () => update({ ...change, ...choice, ...confirmation }))
    }
    await attempt(() =>
      orAskToOpen(request, () => {
        markSaved()
        showNote(words.saved)
      }),
    )
  }
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
          {channel.type === 'voice' ? <VoiceFields value={limits} onChange={setLimits} /> : null}
          <Switch label={arrivalWords.optIn} on={opt_in} onChange={setOptIn} />
          <p class="quiet">{arrivalWords.optInHint}</p>
        </>
      )}
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy}>
        <button type="button" onClick={() => void move(channel.position - 1)}>
          {settingsWords.roles.raise}
        </button>
        <button type="button" onClick={() => void move(channel.position + 1)}>
          {settingsWords.roles.lower}
        </button>
        <button type="button" class="danger" onClick={() => askToDeleteChannel(channel)}>
          {isCategory ? settingsWords.channels.deleteCategory : settingsWords.channels.delete}
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
