import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../../client/rest.ts'
import { reasonOf, ruleOf } from '../../state/reason.ts'
import { dialogWords } from '../../words/dialogs.ts'

/** Runs requests that the server may refuse; provides the error of the newest one, and whether it is running. */
export function useAttempt() {
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const newest = useRef(0)
  const attempt = async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    const turn = ++newest.current
    setBusy(true)
    setError(undefined)
    try {
      return await work()
    } catch (cause) {
      if (turn === newest.current)
        setError(cause instanceof ApiError ? cause : new ApiError(0, 'internal', reasonOf(cause)))
      return undefined
    } finally {
      if (turn === newest.current) setBusy(false)
    }
  }
  return { attempt, busy, error }
}

export interface RefusalProps {
  error: ApiError | undefined
  /** Other words for a problem, by its code. */
  says?: Record<string, string>
}

/** Why a request was refused: the broken rules, or the problem. */
export const Refusal = ({ error, says }: RefusalProps) => {
  if (!error) return null
  const fieldNames: Record<string, string | undefined> = dialogWords.fields
  const wait = error.retry_after === undefined ? '' : ` ${dialogWords.retryAfter(error.retry_after)}`
  return (
    <div class="refusal" role="alert">
      {error.errors.length > 0 ? (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path + message}>
              {fieldNames[path.replace(/^body\./, '')] ?? ''} {ruleOf(message)}
            </li>
          ))}
        </ul>
      ) : (
        (says?.[error.code] ?? reasonOf(error))
      )}
      {wait}
    </div>
  )
}

/**
 * The reason of a refusal that one field has caused; undefined if it has not.
 * @param codes of problems that concern only this field
 */
export function faultAt(error: ApiError | undefined, name: string, ...codes: string[]): string | undefined {
  if (!error) return undefined
  if (codes.includes(error.code) && error.errors.length === 0) return reasonOf(error)
  const rules = error.errors.filter(({ path }) => path.replace(/^body\./, '') === name)
  return rules.length > 0 ? rules.map(({ message }) => ruleOf(message)).join(' · ') : undefined
}

interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: string | undefined
  /** The server's reason to refuse the field's value. */
  fault?: string | undefined
  multiline?: boolean
  type?: 'text' | 'password' | 'email'
  autocomplete?: string
  required?: boolean
  maxLength?: number
  autofocus?: boolean
  placeholder?: string
}

/** A labelled field. */
export const Field = ({ label, value, onInput, hint, fault, multiline, type = 'text', ...attributes }: FieldProps) => {
  const change = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value)
  return (
    <label class="field">
      <span>{label}</span>
      {multiline ? (
        <textarea rows={3} value={value} onInput={change} maxLength={attributes.maxLength} />
      ) : (
        <input
          type={type as 'text'}
          value={value}
          onInput={change}
          aria-invalid={fault !== undefined}
          {...attributes}
        />
      )}
      {fault ? (
        <small class="refusal" role="alert">
          {fault}
        </small>
      ) : null}
      {hint ? <small>{hint}</small> : null}
    </label>
  )
}

interface PasswordFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  /** True for a new password, so that the browser suggests one. */
  isNew?: boolean
  fault?: string | undefined
}

/** A required field for a password, which can be looked at while it is typed. */
export const PasswordField = ({ isNew, ...props }: PasswordFieldProps) => {
  const [isShown, show] = useState(false)
  return (
    <div class="password">
      <Field
        {...props}
        type={isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        required
      />
      <button type="button" class="link" aria-pressed={isShown} onClick={() => show(!isShown)}>
        {isShown ? dialogWords.hideTyped : dialogWords.showTyped}
      </button>
    </div>
  )
}
