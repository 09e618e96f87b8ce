import { useEffect, useState } from 'preact/hooks'
import { permissions } from '../../../core/permissions.ts'
import type { Invite } from '../../../features/invites/model.ts'
import type { Server } from '../../../features/access/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, loader } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { firstWords } from '../../words/first-steps.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { copyText } from '../kit/clipboard.ts'
import { Picture } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { linkOf } from './invites.tsx'
import { CHANNEL_TYPES, READ_ONLY, type TemplateName } from './templates.ts'

const { setup, templates } = firstWords
const WEEK_SECONDS = 604_800

interface StepProps {
  server: Server
  onDone: () => void
}

/** The step that gives a new server its picture. */
export const ServerPicture = ({ server, onDone }: StepProps) => {
  const { attempt, busy, error } = useAttempt()
  const choose = () =>
    choosePicture(
      (icon_file_id) => call('PUT /api/servers/:server_id', { server_id: server.id }, { icon_file_id }),
      attempt,
    )
  const hasPicture = server.icon_file_id !== null
  return (
    <>
      <h3>{setup.pictureTitle}</h3>
      <p class="quiet">{setup.pictureText}</p>
      <div class="face">
        <Picture id={server.id} name={server.name} file_id={server.icon_file_id} size={96} />
        <button type="button" disabled={busy} onClick={choose}>
          {dialogWords.picture.choose}
        </button>
      </div>
      <Refusal error={error} />
      <div class="footer">
        <button type="button" class={hasPicture ? 'primary' : ''} disabled={busy} onClick={onDone}>
          {hasPicture ? setup.next : setup.skip}
        </button>
      </div>
    </>
  )
}

/** A channel that may be made. */
interface Suggestion {
  type: 'text' | 'voice'
  name: string
  topic: string
  isWanted: boolean
  isReadOnly: boolean
}

/** Lets members read a channel and react in it; those with a permission of their own write. */
async function makeReadOnly(server_id: number, channel_id: number): Promise<void> {
  const roles = await call('GET /api/servers/:server_id/roles', { server_id })
  const everyone = roles.find((role) => role.is_everyone)
  if (!everyone) return
  const deny = permissions('send_messages', 'create_threads')
  const target = { channel_id, role_id: everyone.id }
  await call('PUT /api/channels/:channel_id/permissions/:role_id', target, { allow: 0, deny })
}

/** The step that makes the first channels. */
export const ChooseChannels = ({ server, template, onDone }: StepProps & { template: TemplateName }) => {
  const [list, setList] = useState<Suggestion[]>(() => {
    const channels: readonly { name: string; topic?: string }[] = templates[template].channels
    return channels.map(({ name, topic = '' }, at) => ({
      type: CHANNEL_TYPES[template][at] ?? 'text',
      name,
      topic,
      isWanted: true,
      isReadOnly: READ_ONLY[template].includes(at),
    }))
  })
  const [another, setAnother] = useState('')
  const { attempt, busy, error } = useAttempt()
  const wantedChannels = list.filter((each) => each.isWanted)
  const toggle = (at: number) =>
    setList(list.map((each, index) => (index === at ? { ...each, isWanted: !each.isWanted } : each)))
  const add = (event: Event) => {
    event.preventDefault()
    const name = another.trim()
    if (name) setList([...list, { type: 'text', name, topic: '', isWanted: true, isReadOnly: false }])
    setAnother('')
  }
  const make = () =>
    attempt(async () => {
      for (const each of wantedChannels) {
        const { type, name, topic } = each
        const created = await call(
          'POST /api/servers/:server_id/channels',
          { server_id: server.id },
          { type, name, topic },
        )
        loader.addChannel(created)
        if (each.isReadOnly) await makeReadOnly(server.id, created.id)
        // A retry after a refusal must not create the finished parts again.
        setList((before) => before.filter((other) => other !== each))
      }
      onDone()
    })
  return (
    <>
      <h3>{setup.channelsTitle}</h3>
      <p class="quiet">{setup.channelsText}</p>
      <ul class="first-channels">
        <li>
          <label>
            <input type="checkbox" checked disabled />
            <Icon name="hash" size={18} />
            <span>
              general
              <small>{setup.general}</small>
            </span>
          </label>
        </li>
        {list.map(({ type, name, topic, isWanted: on, isReadOnly }, at) => (
          <li key={`${type} ${name} ${at}`}>
            <label>
              <input type="checkbox" checked={on} onChange={() => toggle(at)} />
              <Icon name={type === 'text' ? 'hash' : 'voice'} size={18} />
              <span>
                <bdi>{name}</bdi>
                <small>{isReadOnly ? setup.readOnly(topic) : topic || words.channels[type]}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <form class="beside" onSubmit={add}>
        <Field label={setup.another} value={another} onInput={setAnother} maxLength={100} required />
        <button>{setup.add}</button>
      </form>
      <Refusal error={error} />
      <div class="footer">
        <button type="button" class="primary" disabled={busy} onClick={() => void make()}>
          {setup.make(wantedChannels.length)}
        </button>
      </div>
    </>
  )
}

/** The step that shows a new server's first invite link. */
export const InviteFirst = ({ server, onDone }: StepProps) => {
  const [invite, setInvite] = useState<Invite>()
  const { attempt, busy, error } = useAttempt()
  const make = () => attempt(() => call('POST /api/invites', {}, { server_id: server.id, expires_in: WEEK_SECONDS }))
  useEffect(() => void make().then(setInvite), [])
  const link = invite ? linkOf(invite) : ''
  return (
    <form onSubmit={(event) => (event.preventDefault(), onDone())}>
      <h3>{setup.inviteTitle}</h3>
      <p class="quiet">{setup.inviteText}</p>
      <div class="link">
        <input
          readOnly
          value={link}
          aria-label={dialogWords.invite.link}
          aria-busy={busy}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" disabled={!invite} onClick={() => void copyText(link, words.copied)}>
          <Icon name="copy" size={16} /> {words.copy}
        </button>
        {'share' in navigator ? (
          <button
            type="button"
            disabled={!invite}
            onClick={() => void navigator.share({ title: server.name, url: link }).catch(() => {})}
          >
            {setup.share}
          </button>
        ) : null}
      </div>
      <Refusal error={error} />
      <FormFooter submit={setup.open(withoutBidi(server.name))} busy={false} />
    </form>
  )
}
