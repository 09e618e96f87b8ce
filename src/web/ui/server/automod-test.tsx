import { useState } from 'preact/hooks'
import type { TestMatch } from '../../../features/automod/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'

const CONTENT_MAX = 4000

/** A box to try a text in: which rules would act, and on which part of it. */
export const TryText = ({ server_id }: { server_id: number }) => {
  const [content, setContent] = useState('')
  const [result, setResult] = useState<{ content: string; matches: TestMatch[] }>()
  const { attempt, busy, error } = useAttempt()
  const test = async (event: Event) => {
    event.preventDefault()
    const path = 'POST /api/servers/:server_id/automod/test'
    await attempt(async () => setResult({ content, matches: await call(path, { server_id }, { content }) }))
  }
  return (
    <form onSubmit={test} class="automod-test">
      <Field
        label={automodWords.test}
        hint={automodWords.testHint}
        value={content}
        onInput={setContent}
        maxLength={CONTENT_MAX}
        multiline
      />
      <Refusal error={error} />
      <div role="status">
        {result?.matches.length === 0 ? <p>{automodWords.passes}</p> : null}
        <ul>
          {result?.matches.map(({ rule_id, name, start, end }) => (
            <li key={rule_id}>
              <bdi>
                {automodWords.acts({ rule: withoutBidi(name), part: withoutBidi(result.content.slice(start, end)) })}
              </bdi>
            </li>
          ))}
        </ul>
      </div>
      <FormFooter submit={automodWords.run} busy={busy} />
    </form>
  )
}
