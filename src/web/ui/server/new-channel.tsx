import { useState } from 'preact/hooks'
import { titleOf } from '../../state/names.ts'
import { call, loader, state } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { isServerChannel } from '../../state/state.ts'
import { forumWords } from '../../words/forums.ts'
import { permissionWords } from '../../words/permissions.ts'
import { stageWords } from '../../words/stages.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { mayHide, setPrivate } from './private-channel.tsx'

const TOPIC_LENGTH_MAX = 1024

interface NewChannelProps {
  server_id: number
  type: 'text' | 'voice' | 'category' | 'forum' | 'stage'
  /** The category that the channel goes into. */
  parent_id?: number | null
}

/** Kinds whose words are loaded with this dialog. */
const LATER_WORDS = { forum: forumWords, stage: stageWords }
const kindOf = (type: 'text' | 'voice' | 'forum' | 'stage'): string =>
  type === 'forum' || type === 'stage' ? LATER_WORDS[type].kind : words.channels[type]
const titleFor = (type: NewChannelProps['type']): string =>
  type === 'forum' || type === 'stage' ? LATER_WORDS[type].make : words.channels.make[type]

/** The dialog that creates a channel or a category. */
export const NewChannel = ({ server_id, type: initialType, parent_id = null }: NewChannelProps) => {
  const [name, setName] = useState('')
  const [topic, setTopic] = useState('')
  const [type, setType] = useState(initialType)
  const [isHidden, setHidden] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog([name, topic], busy)
  const isCategory = type === 'category'
  const create = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const draft = { name, type, parent_id, ...(isCategory ? {} : { topic }) }
    const channel = await attempt(() => call('POST /api/servers/:server_id/channels', { server_id }, draft))
    if (!channel) return
    loader.addChannel(channel)
    // A refusal leaves the channel as it is: its settings say so, and offer the switch again.
    if (isHidden && isServerChannel(channel)) await attempt(() => setPrivate(channel, true))
    closeThis()
    if (!isCategory) go(channelPath(server_id, channel.id))
  }
  return (
    <Dialog title={titleFor(type)} onClose={close} class="small">
      <form onSubmit={create}>
        {isCategory ? null : (
          <SelectField
            label={settingsWords.channels.kind}
            value={type}
            options={(['text', 'voice', 'stage', 'forum'] as const).map((each) => [each, kindOf(each)])}
            onChange={setType}
          />
        )}
        <Field
          label={isCategory ? settingsWords.channels.categoryName : settingsWords.channels.name}
          value={name}
          onInput={setName}
          maxLength={100}
          required
          autofocus
        />
        {isCategory ? null : (
          <Field
            label={settingsWords.channels.topicOptional}
            value={topic}
            onInput={setTopic}
            hint={settingsWords.channels.topicHint}
            maxLength={TOPIC_LENGTH_MAX}
          />
        )}
        {isCategory || !mayHide(server_id) ? null : (
          <label class="permission">
            <span>
              {permissionWords.private}
              <small>{permissionWords.privateHint}</small>
            </span>
            <input
              type="checkbox"
              role="switch"
              checked={isHidden}
              onChange={(event) => setHidden(event.currentTarget.checked)}
            />
          </label>
        )}
        <Refusal error={error} />
        <FormFooter
          submit={isCategory ? settingsWords.channels.createCategory : settingsWords.channels.create}
          busy={busy}
        />
      </form>
    </Dialog>
  )
}

/** The dialog that gives a channel its topic. */
export const ChannelTopic = ({ channel_id }: { channel_id: number }) => {
  const channel = state.channels.get(channel_id)
  const [topic, setTopic] = useState(channel?.topic ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(topic, busy)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (await attempt(() => call('PUT /api/channels/:channel_id', { channel_id }, { topic }))) closeThis()
  }
  return (
    <Dialog title={channel ? titleOf(channel) : ''} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={settingsWords.channels.topic}
          value={topic}
          onInput={setTopic}
          hint={settingsWords.channels.topicHint}
          maxLength={TOPIC_LENGTH_MAX}
          autofocus
        />
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}
