import { useEffect, useState } from 'preact/hooks'
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
import { Icon, type IconName } from '../kit/icons.tsx'
import { linkOf } from './invites.tsx'
import { powersIn, type ServerTemplate, type Suggestion, templateOf } from './new-template.ts'

const { setup } = firstWords
/** Of channels in a template; categories have a chevron. */
const ICONS: Record<string, IconName | undefined> = { text: 'hash', voice: 'voice', stage: 'stage', forum: 'message' }

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

interface ChooseProps {
  name: string
  suggestions: Suggestion[]
  /** A template from a file, whose channels cannot be chosen. */
  template: ServerTemplate | undefined
  onMade: (server: Server) => void
}

/** The step that chooses the first channels, and creates the server. */
export const ChooseChannels = ({ name: serverName, suggestions, template, onMade }: ChooseProps) => {
  const [list, setList] = useState(suggestions)
  const [another, setAnother] = useState('')
  const { attempt, busy, error } = useAttempt()
  const next = template ?? templateOf(list)
  const toggle = (at: number) =>
    setList(list.map((each, index) => (index === at ? { ...each, isWanted: !each.isWanted } : each)))
  const add = (event: Event) => {
    event.preventDefault()
    const name = another.trim()
    if (name) setList([...list, { type: 'text', name, topic: '', isWanted: true, isReadOnly: false }])
    setAnother('')
  }
  const make = async () => {
    const server = await attempt(() => call('POST /api/servers', {}, { name: serverName, template: next }))
    if (!server) return
    loader.addServer(server)
    onMade(server)
  }
  return (
    <>
      <h3>{setup.channelsTitle}</h3>
      <p class="quiet">{template ? setup.fileText : setup.channelsText}</p>
      <ul class="first-channels">
        {template ? (
          template.channels.map(({ type, name }, at) => (
            <li key={at} class="row">
              <Icon name={ICONS[String(type)] ?? 'chevron'} size={18} />
              <bdi>{withoutBidi(String(name))}</bdi>
            </li>
          ))
        ) : (
          <>
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
          </>
        )}
      </ul>
      {template ? null : (
        <form class="beside" onSubmit={add}>
          <Field label={setup.another} value={another} onInput={setAnother} maxLength={100} required />
          <button>{setup.add}</button>
        </form>
      )}
      <Powers template={next} />
      <Refusal error={error} />
      <div class="footer">
        <button type="button" class="primary" disabled={busy} onClick={() => void make()}>
          {dialogWords.servers.create}
        </button>
      </div>
    </>
  )
}

/** The roles of a template that can manage something, before they are created. */
const Powers = ({ template }: { template: ServerTemplate }) => {
  const powers = powersIn(template)
  if (powers.length === 0) return null
  return (
    <section aria-label={setup.power}>
      <h4>{setup.power}</h4>
      <ul class="powers">
        {powers.map(([name, titles]) => (
          <li key={name}>
            <bdi>{withoutBidi(name)}</bdi>
            <small>{titles.join(' · ')}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The step that gives a new server its rules. */
export const FirstRules = ({ server, onDone }: StepProps) => {
  const [content, setContent] = useState('')
  const { attempt, busy, error } = useAttempt()
  const save = async (event: Event) => {
    event.preventDefault()
    const path = 'PUT /api/servers/:server_id/rules'
    if (content.trim() === '' || (await attempt(() => call(path, { server_id: server.id }, { content })))) onDone()
  }
  return (
    <form onSubmit={save}>
      <h3>{setup.rulesTitle}</h3>
      <p class="quiet">{setup.rulesText}</p>
      <label class="field">
        <span>{setup.steps.rules}</span>
        <textarea
          rows={6}
          value={content}
          placeholder={setup.rulesExample}
          maxLength={4000}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
      <Refusal error={error} />
      <FormFooter submit={content.trim() === '' ? setup.skip : setup.next} busy={busy} />
    </form>
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
