import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../client/rest.ts'
import { words } from '../../words/words.ts'

const fieldNames: Record<string, string | undefined> = words.fields
const problems: Record<string, string | undefined> = words.problems

/** An error of the page or the browser itself, such as a DOMException, in the form that Refusal shows. */
const faultOfPage = (cause: unknown): ApiError =>
  new ApiError(0, 'internal', words.failed(cause instanceof Error ? cause.message : String(cause)))

/** Runs requests that the server may refuse: keeps the last error, and whether one is running. */
export function useAttempt() {
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const attempt = async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      return await work()
    } catch (cause) {
      setError(cause instanceof ApiError ? cause : faultOfPage(cause))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { attempt, busy, error }
}

interface RefusalProps {
  error: ApiError | undefined
  /** Other words for a problem, by its code. */
  says?: Record<string, string>
}

/** Why a request was refused: the broken rules, or the problem. */
export const Refusal = ({ error, says }: RefusalProps) => {
  if (!error) return null
  const wait = error.retry_after === undefined ? '' : ` ${words.retryAfter(error.retry_after)}`
  return (
    <div class="refusal" role="alert">
      {error.errors.length > 0 ? (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path + message}>
              {fieldNames[path.replace(/^body\./, '')] ?? ''} {message}
            </li>
          ))}
        </ul>
      ) : (
        (says?.[error.code] ?? problems[error.code] ?? error.message)
      )}
      {wait}
    </div>
  )
}

interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: string
  multiline?: boolean
  type?: 'text' | 'password' | 'email'
  autocomplete?: string
  required?: boolean
  maxLength?: number
  autofocus?: boolean
  placeholder?: string
}

/** A labelled field. */
export const Field = ({ label, value, onInput, hint, multiline, type = 'text', ...rest }: FieldProps) => {
  const change = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value)
  return (
    <label class="field">
      <span>{label}</span>
      {multiline ? (
        <textarea rows={3} value={value} onInput={change} maxLength={rest.maxLength} />
      ) : (
        <input type={type as 'text'} value={value} onInput={change} {...rest} />
      )}
      {hint ? <small>{hint}</small> : null}
    </label>
  )
}

interface PasswordFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  /** Whether the password is being chosen, so that the browser suggests one. */
  isNew?: boolean
}

/** A required field for a password. */
export const PasswordField = ({ isNew, ...rest }: PasswordFieldProps) => (
  <Field {...rest} type="password" autocomplete={isNew ? 'new-password' : 'current-password'} required />
)

interface SelectFieldProps<T> {
  label: string
  value: T | undefined
  options: (readonly [value: T, text: string])[]
  onChange: (value: T) => void
}

/** A labelled choice of one option. */
export const SelectField = <T extends string | number>({ label, value, options, onChange }: SelectFieldProps<T>) => (
  <label class="field">
    <span>{label}</span>
    <select
      value={value}
      onChange={(event) => {
        const [option] = options.slice(event.currentTarget.selectedIndex)
        if (option) onChange(option[0])
      }}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface FormFooterProps {
  /** The text of the submit button. */
  submit: string
  busy: boolean
  /** Buttons before the submit button. */
  children?: ComponentChildren
}

/** The buttons below a form. */
export const FormFooter = ({ submit, busy, children }: FormFooterProps) => (
  <footer>
    {children}
    <button class="primary" disabled={busy}>
      {submit}
    </button>
  </footer>
)

/** A labelled choice of yes or no. */
export const Switch = ({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) => (
  <label class="check">
    <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
)
