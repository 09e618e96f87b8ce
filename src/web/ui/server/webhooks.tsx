import { useLayoutEffect, useState } from 'preact/hooks'
import type { IssuedWebhook, Webhook } from '../../../features/webhooks/model.ts'
import { dateOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { webhookWords } from '../../words/webhooks.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { copyText } from '../kit/clipboard.ts'
import { IconButton, Picture } from '../kit/controls.tsx'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const NAME_MAX = 80
const PAGE = 100

interface Props {
  server_id: number
  /** Only for this channel. */
  channel_id?: number
}

/** The webhooks of a server or of one channel: make, change, renew and delete. */
export const Webhooks = ({ server_id, channel_id }: Props) => {
  follow('shell')
  const [webhooks, setWebhooks] = useState<Webhook[]>()
  const [issued, setIssued] = useState<IssuedWebhook>()
  const { attempt, error } = useAttempt()
  const load = async () => {
    const all: Webhook[] = []
    for (let rows = PAGE; rows === PAGE;) {
      const query = { server_id, limit: PAGE, offset: all.length }
      const page = await (channel_id === undefined
        ? call('GET /api/servers/:server_id/webhooks', query)
        : call('GET /api/channels/:channel_id/webhooks', { channel_id }))
      all.push(...page)
      rows = channel_id === undefined ? page.length : 0
    }
    setWebhooks(all)
  }
  useLayoutEffect(() => {
    setWebhooks(undefined)
    setIssued(undefined)
    void attempt(load)
  }, [server_id, channel_id])
  const putWebhook = (webhook: Webhook) =>
    setWebhooks((before = []) =>
      [...before.filter(({ id }) => id !== webhook.id), webhook].toSorted((a, b) => a.id - b.id),
    )
  const show = (created: IssuedWebhook) => {
    const { url: _, ...webhook } = created
    setIssued(created)
    putWebhook(webhook)
  }
  const drop = (id: number) => {
    setWebhooks((before = []) => before.filter((one) => one.id !== id))
    if (issued?.id === id) setIssued(undefined)
  }
  const channels = state
    .channelsOf(server_id)
    .filter(
      ({ id, type }) => (type === 'text' || isSpoken({ type })) && (channel_id === undefined || id === channel_id),
    )
    .map((each): [number, string] => [each.id, titleOf(each)])
  return (
    <>
      <h3>{webhookWords.title}</h3>
      <p class="quiet">{webhookWords.hint}</p>
      <NewWebhook channels={channels} onMade={show} />
      {issued ? <Url webhook={issued} /> : null}
      <Refusal error={error} />
      {webhooks?.length === 0 ? <Empty icon="link" title={webhookWords.none} text={webhookWords.noneText} /> : null}
      <ul class="table webhooks">
        {webhooks?.map((webhook) => (
          <Row
            key={webhook.id}
            webhook={webhook}
            channels={channels}
            onChange={putWebhook}
            onIssue={show}
            onDelete={drop}
          />
        ))}
      </ul>
    </>
  )
}

interface NewProps {
  channels: [number, string][]
  onMade: (webhook: IssuedWebhook) => void
}

const NewWebhook = ({ channels, onMade }: NewProps) => {
  const [name, setName] = useState('')
  const [channel_id, setChannel] = useState(channels[0]?.[0] ?? 0)
  const { attempt, busy, error } = useAttempt()
  const make = async (event: Event) => {
    event.preventDefault()
    const created = await attempt(() => call('POST /api/channels/:channel_id/webhooks', { channel_id }, { name }))
    if (!created) return
    setName('')
    onMade(created)
  }
  return (
    <form onSubmit={make}>
      <Field label={webhookWords.name} value={name} onInput={setName} maxLength={NAME_MAX} required />
      {channels.length > 1 ? (
        <SelectField label={webhookWords.channel} value={channel_id} options={channels} onChange={setChannel} />
      ) : null}
      <Refusal error={error} says={webhookWords.problems} />
      <FormFooter submit={webhookWords.make} busy={busy} />
    </form>
  )
}

/** The URL of a webhook that has just been made or renewed. */
const Url = ({ webhook: { url } }: { webhook: IssuedWebhook }) => (
  <section class="issued" role="status">
    <p>{webhookWords.shownOnce}</p>
    <div class="link">
      <input readOnly value={url} aria-label={webhookWords.url} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" class="primary" onClick={() => void copyText(url, words.copied)}>
        {words.copy}
      </button>
    </div>
    <small class="quiet">{webhookWords.suffixes}</small>
  </section>
)

interface RowProps {
  webhook: Webhook
  channels: [number, string][]
  onChange: (webhook: Webhook) => void
  onIssue: (webhook: IssuedWebhook) => void
  onDelete: (id: number) => void
}

const Row = (props: RowProps) => {
  const { webhook, onIssue, onDelete } = props
  const [isOpen, setOpen] = useState(false)
  const path = { webhook_id: webhook.id }
  const name = withoutBidi(webhook.name)
  const channel = state.channels.get(webhook.channel_id)
  const rotate = () =>
    askToConfirm({
      title: webhookWords.rotate,
      text: webhookWords.rotateText,
      action: webhookWords.rotate,
      work: async () => onIssue(await call('POST /api/webhooks/:webhook_id/rotate', path)),
    })
  const remove = () =>
    askToConfirm({
      title: webhookWords.delete(name),
      text: webhookWords.deleteText,
      action: webhookWords.delete(name),
      work: async () => {
        await call('DELETE /api/webhooks/:webhook_id', path)
        onDelete(webhook.id)
      },
    })
  const maker = webhook.creator ? nameOf(webhook.creator.id, webhook.creator.display_name) : ''
  return (
    <li>
      <div class="row">
        <div>
          <Picture id={webhook.id} name={webhook.name} file_id={webhook.avatar_file_id} size={36} />
        </div>
        <span>
          <bdi>{name}</bdi>
          <small>
            <bdi>{channel ? titleOf(channel) : ''}</bdi> · <bdi>{webhookWords.madeBy(maker)}</bdi> ·{' '}
            {dateOf(webhook.created_at)}
          </small>
        </span>
        <button type="button" onClick={rotate}>
          {webhookWords.rotate}
        </button>
        <IconButton
          icon={isOpen ? 'close' : 'edit'}
          label={isOpen ? webhookWords.close : webhookWords.edit(name)}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="trash" label={webhookWords.delete(name)} onClick={remove} />
      </div>
      {isOpen ? <Editor key={JSON.stringify(webhook)} {...props} /> : null}
    </li>
  )
}

const Editor = ({ webhook, channels, onChange }: RowProps) => {
  const [name, setName] = useState(webhook.name)
  const [channel_id, setChannel] = useState(webhook.channel_id)
  const [mentions_everyone, setMentions] = useState(webhook.mentions_everyone)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved([name, channel_id, mentions_everyone])
  const update = async (body: Parameters<typeof call<'PUT /api/webhooks/:webhook_id'>>[2]) => {
    const answer = await attempt(() => call('PUT /api/webhooks/:webhook_id', { webhook_id: webhook.id }, body))
    if (answer) onChange(answer)
    return answer
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const place = channel_id === webhook.channel_id ? {} : { channel_id }
    const calls = mentions_everyone === webhook.mentions_everyone ? {} : { mentions_everyone }
    if (!(await update({ name, ...place, ...calls }))) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      <div class="row">
        <button type="button" onClick={() => choosePicture((avatar_file_id) => update({ avatar_file_id }), attempt)}>
          {dialogWords.picture.choose}
        </button>
        {webhook.avatar_file_id === null ? null : (
          <button type="button" onClick={() => void update({ avatar_file_id: null })}>
            {dialogWords.picture.remove}
          </button>
        )}
      </div>
      <Field label={webhookWords.name} value={name} onInput={setName} maxLength={NAME_MAX} required />
      {channels.length > 1 ? (
        <SelectField label={webhookWords.channel} value={channel_id} options={channels} onChange={setChannel} />
      ) : null}
      <Switch label={webhookWords.mentions} on={mentions_everyone} onChange={setMentions} />
      <Refusal error={error} says={webhookWords.problems} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}
