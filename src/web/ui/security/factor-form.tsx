import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Assertion, RequestOptions } from '../../../features/passkeys/model.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { securityWords } from '../../words/security.ts'
import { signOnWords } from '../../words/sign-on.ts'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { answerByPasskey, knowsPasskeys } from './passkeys.ts'

const TYPED = ['code', 'password', 'recovery_code'] as const
type Typed = (typeof TYPED)[number]
export type Method = Typed | 'passkey' | 'oidc'
export type Shown = { [method in Typed]?: string } & { passkey?: Assertion }

const AUTOCOMPLETE = { code: 'one-time-code', password: 'current-password', recovery_code: 'off' }

interface FactorFormProps {
  methods: readonly Method[]
  /** The text of the submit button. */
  submit: string
  /** The challenge for a passkey. */
  options: () => Promise<RequestOptions>
  /** Sends what was shown; its error is shown here. */
  send: (proof: Shown) => Promise<unknown>
  /** Leaves for the identity provider. */
  atProvider?: () => Promise<unknown>
  /** The first heading, and the text below it. */
  children: ComponentChildren
  /** The button that leaves. */
  leave: { text: string; go: () => void }
  class?: string
}

/** A form for one of the account's second factors, with links to the others. */
export const FactorForm = (props: FactorFormProps) => {
  const { methods, submit, options, send, atProvider, children, leave, class: style } = props
  const typedMethods = TYPED.filter((method) => methods.includes(method))
  const [chosen, setChosen] = useState<Typed>()
  const [value, setValue] = useState('')
  const { attempt, busy, error } = useAttempt()
  const current = chosen ?? typedMethods[0]
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [current])
  useEffect(askOffers, [])
  const sendTyped = (event: Event) => {
    event.preventDefault()
    if (current) void attempt(() => send({ [current]: value }))
  }
  const choose = (method: Typed) => {
    setChosen(method)
    setValue('')
  }
  const sendPasskey = () => void attempt(async () => send({ passkey: await answerByPasskey(await options()) }))
  return (
    <form ref={form} class={style} onSubmit={sendTyped}>
      {children}
      {current ? (
        <Field
          key={current}
          label={securityWords.fields[current]}
          value={value}
          onInput={setValue}
          type={current === 'password' ? 'password' : 'text'}
          autocomplete={AUTOCOMPLETE[current]}
          required
          autofocus
          {...(current === 'recovery_code' ? { hint: securityWords.recoveryHint } : {})}
        />
      ) : null}
      {methods.length === 0 ? <p>{securityWords.proof.none}</p> : null}
      <Refusal error={error} says={securityWords.problems} />
      {current ? (
        <button class="primary" disabled={busy}>
          {submit}
        </button>
      ) : null}
      {methods.includes('oidc') && atProvider ? (
        <button type="button" disabled={busy} onClick={() => void attempt(atProvider)}>
          {signOnWords.login(offers.value?.oidc?.name ?? signOnWords.title)}
        </button>
      ) : null}
      {methods.includes('passkey') && knowsPasskeys() ? (
        <button type="button" disabled={busy} onClick={sendPasskey}>
          {securityWords.methods.passkey}
        </button>
      ) : null}
      {typedMethods
        .filter((method) => method !== current)
        .map((method) => (
          <button key={method} type="button" disabled={busy} onClick={() => choose(method)}>
            {securityWords.methods[method]}
          </button>
        ))}
      <button type="button" onClick={leave.go}>
        {leave.text}
      </button>
    </form>
  )
}
