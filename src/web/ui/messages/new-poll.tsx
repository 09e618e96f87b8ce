import { useRef, useState } from 'preact/hooks'
import { newNonce } from '../../client/nonce.ts'
import { call } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { pollWords } from '../../words/polls.ts'
import { words } from '../../words/words.ts'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'

const QUESTION_MAX = 300
/** Characters of an answer, and of an emoji before it. */
const ANSWER_MAX = 55
const [ANSWERS_MIN, ANSWERS_MAX] = [2, 10]
/** Durations to choose from, hours; the longest is the server's bound. */
const HOURS = [1, 4, 8, 24, 72, 168, 336, 768]

/** An emoji at the beginning, and the text after it. */
const WITH_EMOJI = /^(\p{RGI_Emoji})\s+(\S.*)$/v

const answerOf = (text: string) => {
  const [, emoji = null, rest = text] = WITH_EMOJI.exec(text) ?? []
  return { text: rest, emoji }
}

/** The dialog that sends a message with a poll. */
export const newPoll = (place: ChannelPlace) => {
  // One for all tries: a repeated request sends one message.
  const nonce = newNonce()
  return () => <NewPoll place={place} nonce={nonce} />
}

const NewPoll = ({ place, nonce }: { place: ChannelPlace; nonce: string }) => {
  const [question, setQuestion] = useState('')
  const [answers, setAnswers] = useState(['', ''])
  const [hours, setHours] = useState(24)
  const [multiple, setMultiple] = useState(false)
  const [anonymous, setAnonymous] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const written = answers.map((text) => text.trim()).filter((text) => text !== '')
  const isWhole = question.trim() !== '' && written.length >= ANSWERS_MIN
  const send = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (!isWhole) return form.current?.querySelector<HTMLInputElement>('input:placeholder-shown')?.focus()
    const poll = { question: question.trim(), answers: written.map(answerOf), multiple, anonymous, hours }
    const message = await attempt(() =>
      call('POST /api/channels/:channel_id/messages', { channel_id: place.channel_id }, { poll, nonce }),
    )
    return message && closeThis()
  }
  return (
    <Dialog title={words.composer.poll} onClose={closeDialog} class="small">
      <form ref={form} onSubmit={send}>
        <Field
          label={pollWords.question}
          value={question}
          onInput={setQuestion}
          maxLength={QUESTION_MAX}
          placeholder={pollWords.questionExample}
          autofocus
        />
        {answers.map((text, at) => (
          <Field
            key={at}
            label={pollWords.answer(at + 1)}
            value={text}
            placeholder=" "
            maxLength={ANSWER_MAX}
            onInput={(next) => setAnswers(answers.with(at, next))}
          />
        ))}
        {answers.length < ANSWERS_MAX ? (
          <button type="button" onClick={() => setAnswers([...answers, ''])}>
            {pollWords.addAnswer}
          </button>
        ) : null}
        <SelectField
          label={pollWords.duration}
          value={hours}
          options={HOURS.map((n) => [n, pollWords.span(n * 3600)] as const)}
          onChange={setHours}
        />
        <Switch label={pollWords.multiple} on={multiple} onChange={setMultiple} />
        <Switch label={pollWords.anonymous} on={anonymous} onChange={setAnonymous} />
        {anonymous ? <p class="quiet">{pollWords.promise}</p> : null}
        <Refusal error={error} />
        <FormFooter submit={pollWords.send} busy={busy} />
      </form>
    </Dialog>
  )
}
