import { useLayoutEffect, useState } from 'preact/hooks'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { WelcomeSettings } from './welcome-form.tsx'
import { QuestionSettings } from './question-form.tsx'

/** The settings of a server about its new members. */
export const ArrivalSettings = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const [content, setContent] = useState<string>()
  const { attempt, error } = useAttempt()
  useLayoutEffect(() => {
    setContent(undefined)
    void attempt(async () => {
      const rules = await call('GET /api/servers/:server_id/rules', { server_id })
      setContent(rules.content)
    })
  }, [server_id])
  return (
    <>
      <h3>{arrivalWords.rules}</h3>
      <p class="quiet">{arrivalWords.rulesHint}</p>
      <Refusal error={error} />
      {content === undefined ? null : <RulesForm key={server_id} server_id={server_id} before={content} />}
      <WelcomeSettings server_id={server_id} />
      {state.may(server_id, 'manage_roles') ? <QuestionSettings server_id={server_id} /> : null}
      <TemplateFile server_id={server_id} />
    </>
  )
}

/** Saves the server as a template. */
const TemplateFile = ({ server_id }: { server_id: number }) => {
  const { attempt, busy, error } = useAttempt()
  const save = () =>
    attempt(async () => {
      const template = await call('GET /api/servers/:server_id/template', { server_id })
      const url = URL.createObjectURL(new Blob([JSON.stringify(template, null, 2)], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: 'parley-template.json' })
      link.click()
      setTimeout(() => URL.revokeObjectURL(url))
    })
  return (
    <section class="automod-section">
      <h3>{arrivalWords.template}</h3>
      <p class="quiet">{arrivalWords.templateHint}</p>
      <button type="button" disabled={busy} onClick={() => void save()}>
        {arrivalWords.saveTemplate}
      </button>
      <Refusal error={error} />
    </section>
  )
}

const RulesForm = ({ server_id, before }: { server_id: number; before: string }) => {
  const [content, setContent] = useState(before)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(content)
  const save = async (event: Event) => {
    event.preventDefault()
    const saved = await attempt(() => call('PUT /api/servers/:server_id/rules', { server_id }, { content }))
    if (!saved) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form class="arrival-rules" onSubmit={save}>
      <Field label={arrivalWords.rulesField} value={content} onInput={setContent} maxLength={4000} multiline />
      <Refusal error={error} />
      <FormFooter submit={arrivalWords.saveRules} busy={busy} />
    </form>
  )
}
