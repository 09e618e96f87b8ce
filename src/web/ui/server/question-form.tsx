import { useLayoutEffect, useState } from 'preact/hooks'
import type { z } from 'zod'
import type { OnboardingDraft } from '../../../features/arrival/model.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter, Switch } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const QUESTIONS_MAX = 8
const OPTIONS_MAX = 25

type Question = z.input<typeof OnboardingDraft>['questions'][number]
type Option = Question['options'][number]

const emptyOption: Option = { label: '', emoji: null, description: '', role_ids: [], channel_ids: [] }
const emptyQuestion: Question = {
  title: '',
  description: '',
  multiple: false,
  required: false,
  options: [emptyOption],
}

/** The questions of a server to new members. */
export const QuestionSettings = ({ server_id }: { server_id: number }) => {
  const [questions, setQuestions] = useState<Question[]>()
  const { attempt, error } = useAttempt()
  useLayoutEffect(() => {
    setQuestions(undefined)
    void attempt(async () => {
      const onboarding = await call('GET /api/servers/:server_id/onboarding', { server_id })
      setQuestions(onboarding.questions)
    })
  }, [server_id])
  return (
    <section class="automod-section">
      <h3>{arrivalWords.questions}</h3>
      <p class="quiet">{arrivalWords.questionsHint}</p>
      <Refusal error={error} />
      {questions ? <QuestionForm key={JSON.stringify(questions)} server_id={server_id} before={questions} /> : null}
    </section>
  )
}

const QuestionForm = ({ server_id, before }: { server_id: number; before: Question[] }) => {
  const [questions, setQuestions] = useState(before)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(JSON.stringify(questions))
  const save = async (event: Event) => {
    event.preventDefault()
    const saved = await attempt(() => call('PUT /api/servers/:server_id/onboarding', { server_id }, { questions }))
    if (!saved) return
    setQuestions(saved.questions)
    markSaved()
    showNote(words.saved)
  }
  const put = (at: number, change: Partial<Question>) =>
    setQuestions(questions.map((each, n) => (n === at ? { ...each, ...change } : each)))
  return (
    <form onSubmit={save}>
      {questions.map((question, at) => (
        <QuestionFields
          key={at}
          server_id={server_id}
          question={question}
          onChange={(change) => put(at, change)}
          onRemove={() => setQuestions(questions.filter((_, n) => n !== at))}
        />
      ))}
      <Refusal error={error} />
      <FormFooter submit={arrivalWords.saveQuestions} busy={busy}>
        {questions.length < QUESTIONS_MAX ? (
          <button type="button" onClick={() => setQuestions([...questions, emptyQuestion])}>
            {arrivalWords.addQuestion}
          </button>
        ) : null}
      </FormFooter>
    </form>
  )
}

interface QuestionProps {
  server_id: number
  question: Question
  onChange: (change: Partial<Question>) => void
  onRemove: () => void
}

const QuestionFields = ({ server_id, question, onChange, onRemove }: QuestionProps) => {
  const { title, description = '', multiple = false, required = false, options } = question
  const put = (at: number, change: Partial<Option>) =>
    onChange({ options: options.map((each, n) => (n === at ? { ...each, ...change } : each)) })
  return (
    <fieldset class="question">
      <legend>{title || arrivalWords.question}</legend>
      <div class="row">
        <Field
          label={arrivalWords.question}
          value={title}
          onInput={(next) => onChange({ title: next })}
          maxLength={100}
          required
        />
        <IconButton icon="trash" label={arrivalWords.remove(title || arrivalWords.question)} onClick={onRemove} />
      </div>
      <Field
        label={arrivalWords.description}
        value={description}
        onInput={(next) => onChange({ description: next })}
        maxLength={300}
      />
      <Switch label={arrivalWords.multiple} on={multiple} onChange={(next) => onChange({ multiple: next })} />
      <Switch label={arrivalWords.required} on={required} onChange={(next) => onChange({ required: next })} />
      {options.map((option, at) => (
        <OptionFields
          key={at}
          server_id={server_id}
          option={option}
          onChange={(change) => put(at, change)}
          onRemove={options.length > 1 ? () => onChange({ options: options.filter((_, n) => n !== at) }) : undefined}
        />
      ))}
      {options.length < OPTIONS_MAX ? (
        <button type="button" onClick={() => onChange({ options: [...options, emptyOption] })}>
          {arrivalWords.addAnswer}
        </button>
      ) : null}
    </fieldset>
  )
}

interface OptionProps {
  server_id: number
  option: Option
  onChange: (change: Partial<Option>) => void
  onRemove: (() => void) | undefined
}

const OptionFields = ({ server_id, option, onChange, onRemove }: OptionProps) => {
  follow('shell')
  const { label, emoji = null, description = '', role_ids = [], channel_ids = [] } = option
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && role.self_assignable)
    .map((role): [number, string] => [role.id, withoutBidi(role.name)])
  const channels = state
    .channelsOf(server_id)
    .filter((channel) => channel.opt_in_since !== null)
    .map((channel): [number, string] => [channel.id, titleOf(channel)])
  return (
    <fieldset class="question">
      <legend>{label || arrivalWords.answer}</legend>
      <div class="row">
        <Field
          label={arrivalWords.answer}
          value={label}
          onInput={(next) => onChange({ label: next })}
          maxLength={50}
          required
        />
        <Field
          label={arrivalWords.emoji}
          value={emoji ?? ''}
          onInput={(next) => onChange({ emoji: next.trim() || null })}
          maxLength={64}
        />
        {onRemove ? (
          <IconButton icon="trash" label={arrivalWords.remove(label || arrivalWords.answer)} onClick={onRemove} />
        ) : null}
      </div>
      <Field
        label={arrivalWords.description}
        value={description}
        onInput={(next) => onChange({ description: next })}
        maxLength={100}
      />
      {roles.length + channels.length === 0 ? <p class="quiet">{arrivalWords.givesNothing}</p> : null}
      <Picks
        label={arrivalWords.gives}
        choices={roles}
        ids={role_ids}
        onChange={(next) => onChange({ role_ids: next })}
      />
      <Picks
        label={arrivalWords.lists}
        choices={channels}
        ids={channel_ids}
        onChange={(next) => onChange({ channel_ids: next })}
      />
    </fieldset>
  )
}

interface PicksProps {
  label: string
  choices: [id: number, name: string][]
  ids: number[]
  onChange: (ids: number[]) => void
}

/** A choice of several things by name; nothing if there are none. */
const Picks = ({ label, choices, ids, onChange }: PicksProps) =>
  choices.length === 0 ? null : (
    <div role="group" aria-label={label}>
      <small>{label}</small>
      <ul class="chips">
        {choices.map(([id, name]) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={ids.includes(id)}
                onChange={() => onChange(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])}
              />
              <bdi>{name}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
