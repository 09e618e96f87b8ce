import { useEffect, useState } from 'preact/hooks'
import type { OwnApplication } from '../../../features/applications/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { applicationWords } from '../../words/applications.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { copyText } from '../kit/clipboard.ts'
import { Picture } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { closeDialog, showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const linkOf = ({ id }: OwnApplication): string => `${location.origin}/apps/${id}`
const nameOf = ({ bot }: OwnApplication): string => withoutBidi(bot.display_name)

/** The account's applications: create, edit, renew tokens and delete. */
export const OwnApplications = () => {
  const [applications, setApplications] = useState<OwnApplication[]>()
  const { attempt, error } = useAttempt()
  const load = async () => {
    const rows = await attempt(() => call('GET /api/applications', { limit: 100 }))
    if (rows) setApplications(rows)
  }
  useEffect(() => void load(), [])
  return (
    <>
      <p class="quiet">{applicationWords.hint}</p>
      <Refusal error={error} />
      {applications?.length === 0 ? (
        <Empty icon="link" title={applicationWords.none} text={applicationWords.noneText} />
      ) : null}
      <ul class="table">
        {applications?.map((application) => (
          <Row key={application.id} application={application} load={load} />
        ))}
      </ul>
      <div class="footer">
        <button type="button" class="primary" onClick={() => showDialog(() => <Draft onDone={load} />)}>
          {applicationWords.create}
        </button>
      </div>
    </>
  )
}

const Row = ({ application, load }: { application: OwnApplication; load: () => Promise<void> }) => {
  const { id: application_id, bot, description } = application
  const name = nameOf(application)
  const rotate = () =>
    askToConfirm({
      title: applicationWords.rotateOf(name),
      text: applicationWords.rotateText,
      action: applicationWords.rotate,
      work: async () => {
        const { token } = await call('POST /api/applications/:application_id/token', { application_id })
        return () => showDialog(() => <Token name={name} token={token} />)
      },
    })
  const remove = () =>
    askToConfirm({
      title: applicationWords.removeOf(name),
      text: applicationWords.removeText,
      action: applicationWords.remove,
      phrase: name,
      work: async () => {
        await call('DELETE /api/applications/:application_id', { application_id })
        await load()
      },
    })
  return (
    <li class="row person application">
      <Picture id={application_id} name={bot.display_name} file_id={bot.avatar_file_id} size={36} />
      <span>
        <bdi>{name}</bdi>
        {description ? <small>{description}</small> : null}
      </span>
      <span class="choices">
        <button type="button" onClick={() => void copyText(linkOf(application), words.copied)}>
          {applicationWords.copyLink}
        </button>
        <button type="button" onClick={() => showDialog(() => <Draft application={application} onDone={load} />)}>
          {applicationWords.edit}
        </button>
        <button type="button" onClick={rotate}>
          {applicationWords.rotate}
        </button>
        <button type="button" class="danger" onClick={remove}>
          {applicationWords.remove}
        </button>
      </span>
    </li>
  )
}

interface DraftProps {
  application?: OwnApplication
  onDone: () => Promise<void>
}

/** A new application, or the name, description, picture and URL of one. */
const Draft = ({ application, onDone }: DraftProps) => {
  const [name, setName] = useState(application?.bot.display_name ?? '')
  const [description, setDescription] = useState(application?.description ?? '')
  const [url, setUrl] = useState(application?.interactions_url ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog([name, description, url], busy)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const body = { name, description }
    if (application) {
      const interactions_url = url.trim() || null
      // Send the URL only if it changed: the server resolves its host anew, and may refuse it now.
      const endpoint = interactions_url === application.interactions_url ? {} : { interactions_url }
      const place = { application_id: application.id }
      if (!(await attempt(() => call('PUT /api/applications/:application_id', place, { ...body, ...endpoint })))) return
      closeThis()
    } else {
      const created = await attempt(() => call('POST /api/applications', {}, body))
      if (!created) return
      closeThis()
      showDialog(() => <Token name={nameOf(created)} token={created.token} />)
    }
    await onDone()
  }
  return (
    <Dialog title={application ? nameOf(application) : applicationWords.create} onClose={close} class="small">
      <form onSubmit={save}>
        {application ? <BotPicture application={application} onDone={onDone} /> : null}
        <Field label={applicationWords.name} value={name} onInput={setName} maxLength={32} required autofocus />
        <Field
          label={applicationWords.description}
          value={description}
          onInput={setDescription}
          maxLength={400}
          multiline
        />
        {application ? (
          <>
            <Field
              label={applicationWords.url}
              value={url}
              onInput={setUrl}
              maxLength={1024}
              placeholder="https://"
              hint={applicationWords.urlText}
            />
            <label class="field">
              <span>{applicationWords.key}</span>
              <input readOnly value={application.public_key} onFocus={(event) => event.currentTarget.select()} />
            </label>
          </>
        ) : null}
        <Refusal error={error} />
        <FormFooter submit={application ? words.save : applicationWords.create} busy={busy} />
      </form>
    </Dialog>
  )
}

/** The picture of an application's bot: a change holds at once. */
const BotPicture = ({ application, onDone }: Required<DraftProps>) => {
  const [{ id, display_name, avatar_file_id }, setBot] = useState(application.bot)
  const { attempt, error } = useAttempt()
  const saveAvatar = (fileId: number | null) =>
    attempt(async () => {
      const place = { application_id: id }
      const { bot } = await call('PUT /api/applications/:application_id', place, { avatar_file_id: fileId })
      setBot(bot)
      await onDone()
    })
  return (
    <>
      <div class="row">
        <Picture id={id} name={display_name} file_id={avatar_file_id} size={72} />
        <span class="choices">
          <button type="button" onClick={() => choosePicture(saveAvatar, attempt)}>
            {dialogWords.picture.choose}
          </button>
          {avatar_file_id === null ? null : (
            <button type="button" onClick={() => void saveAvatar(null)}>
              {dialogWords.picture.remove}
            </button>
          )}
        </span>
      </div>
      <Refusal error={error} />
    </>
  )
}

/** A token, which is shown once. */
const Token = ({ name, token }: { name: string; token: string }) => (
  <Dialog title={name} onClose={closeDialog} class="small">
    <label class="field">
      <span>{applicationWords.token}</span>
      <input readOnly value={token} onFocus={(event) => event.currentTarget.select()} />
      <small>{applicationWords.tokenText}</small>
    </label>
    <div class="footer">
      <button type="button" class="primary" onClick={() => void copyText(token, words.copied)}>
        {applicationWords.copyToken}
      </button>
    </div>
  </Dialog>
)
