import { useLayoutEffect, useState } from 'preact/hooks'
import type { Welcome } from '../../../features/arrival/model.ts'
import { titleOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const CHANNELS_MAX = 5

/** The welcome of a server to new members: a text and some channels. */
export const WelcomeSettings = ({ server_id }: { server_id: number }) => {
  const [welcome, setWelcome] = useState<Welcome>()
  const { attempt, error } = useAttempt()
  useLayoutEffect(() => {
    setWelcome(undefined)
    void attempt(async () => setWelcome(await call('GET /api/servers/:server_id/welcome', { server_id })))
  }, [server_id])
  return (
    <section class="automod-section">
      <h3>{arrivalWords.welcomeScreen}</h3>
      <p class="quiet">{arrivalWords.welcomeHint}</p>
      <Refusal error={error} />
      {welcome ? <WelcomeForm key={server_id} before={welcome} /> : null}
    </section>
  )
}

const WelcomeForm = ({ before }: { before: Welcome }) => {
  follow('shell')
  const { server_id } = before
  const [content, setContent] = useState(before.content)
  const [rows, setRows] = useState(before.channels)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(JSON.stringify([content, rows]))
  const channels = state.channelsOf(server_id)
  const free = channels.find(({ id }) => rows.every(({ channel_id }) => channel_id !== id))
  const nameOf = (id: number) =>
    channels
      .filter((each) => each.id === id)
      .map(titleOf)
      .join('')
  const put = (at: number, change: Partial<Welcome['channels'][number]>) =>
    setRows(rows.map((row, n) => (n === at ? { ...row, ...change } : row)))
  const save = async (event: Event) => {
    event.preventDefault()
    const path = 'PUT /api/servers/:server_id/welcome'
    if (!(await attempt(() => call(path, { server_id }, { content, channels: rows })))) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      <Field label={arrivalWords.welcomeText} value={content} onInput={setContent} maxLength={500} multiline />
      {rows.map((row, at) => (
        <div key={at} class="row welcome-channel">
          <SelectField
            label={arrivalWords.channel}
            value={row.channel_id}
            options={channels.map((channel): [number, string] => [channel.id, titleOf(channel)])}
            onChange={(channel_id) => put(at, { channel_id })}
          />
          <Field
            label={arrivalWords.emoji}
            value={row.emoji ?? ''}
            onInput={(next) => put(at, { emoji: next.trim() || null })}
            maxLength={64}
          />
          <Field label={arrivalWords.line} value={row.line} onInput={(line) => put(at, { line })} maxLength={100} />
          <IconButton
            icon="trash"
            label={arrivalWords.remove(nameOf(row.channel_id))}
            onClick={() => setRows(rows.filter((_, n) => n !== at))}
          />
        </div>
      ))}
      <Refusal error={error} />
      <FormFooter submit={arrivalWords.saveWelcome} busy={busy}>
        {free && rows.length < CHANNELS_MAX ? (
          <button type="button" onClick={() => setRows([...rows, { channel_id: free.id, emoji: null, line: '' }])}>
            {arrivalWords.addChannel}
          </button>
        ) : null}
      </FormFooter>
    </form>
  )
}
