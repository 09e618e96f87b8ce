import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Status } from '../../../features/members/model.ts'
import type { ApiError } from '../../client/rest.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { urlOf } from '../../state/download-urls.ts'
import { words } from '../../words/words.ts'
import { Icon, type IconName } from './icons.tsx'

/** Background colours of initials, each with enough contrast to white. */
const COLORS = ['#b4432f', '#9a5b00', '#54741a', '#1b7a4b', '#0f766e', '#24699c', '#5457c4', '#8a45a8', '#a83a72']

const initialsOf = (name: string): string => {
  const letters = name.split(/[\s#_.-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.slice(0, 2).join('').toUpperCase() || '?'
}

interface PictureProps {
  id: number
  name: string
  file_id: number | null | undefined
  size?: number
}

/** The picture of an account or server, or its initials. It stands beside the name, so it has no text of its own. */
export const Picture = ({ id, name, file_id, size = 40 }: PictureProps) => {
  const url = urlOf(file_id)
  const style = {
    width: `${size}px`,
    height: `${size}px`,
    fontSize: `${size * 0.38}px`,
    background: COLORS[id % COLORS.length],
  }
  return url ? (
    <img class="picture" src={url} alt="" width={size} height={size} />
  ) : (
    <span class="picture" style={style} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** The picture of an account, with its status if wanted. */
export const Avatar = ({ id, size, status }: { id: number; size?: number; status?: boolean }) => {
  follow('members')
  const user = state.users.get(id) ?? (id === state.me() ? state.user : undefined)
  return (
    <span class="avatar">
      <Picture id={id} name={nameOf(id)} file_id={user?.avatar_file_id} size={size ?? 40} />
      {status ? <StatusDot id={id} /> : null}
    </span>
  )
}

export const statusOf = (id: number): Status => {
  follow('statuses')
  return id === state.me() ? 'online' : (state.statuses.get(id) ?? 'offline')
}

const StatusDot = ({ id }: { id: number }) => {
  const status = statusOf(id)
  return <span class={`dot ${status}`} title={words.status[status]} />
}

interface ButtonProps {
  icon: IconName
  label: string
  onClick: (event: MouseEvent) => void
  pressed?: boolean
  class?: string
  size?: number
}

/** A button with an icon; the label is its accessible name and tooltip. */
export const IconButton = ({ icon, label, onClick, pressed, size, class: style = '' }: ButtonProps) => (
  <button
    type="button"
    class={`bare ${style}`}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    onClick={onClick}
  >
    <Icon name={icon} size={size ?? 20} />
  </button>
)

export const Badge = ({ count }: { count: number }) =>
  count > 0 ? <span class="badge">{count > 99 ? '99+' : count}</span> : null

/** The tabs of a dialog. */
export const Tabs = <T extends string>({
  tabs,
  tab,
  onTab,
}: {
  tabs: [T, string][]
  tab: T
  onTab: (tab: T) => void
}) => (
  <nav class="tabs" aria-label={words.sections}>
    {tabs.map(([name, title]) => (
      <button type="button" key={name} aria-current={tab === name ? 'page' : undefined} onClick={() => onTab(name)}>
        {title}
      </button>
    ))}
  </nav>
)

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  class?: string
}

/** A modal dialog. Escape, the close button, or a click beside it close it. */
export const Dialog = ({ title, onClose, children, class: style = '' }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  const closeBeside = (event: MouseEvent) => event.target === element.current && onClose()
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={element} class={style} aria-label={title} onCancel={cancel} onMouseDown={closeBeside}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

const fieldNames: Record<string, string | undefined> = words.fields
const problems: Record<string, string | undefined> = words.problems

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
      setError(cause as ApiError)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { attempt, busy, error }
}

/** Why a request was refused: the broken rules, or the problem. */
export const Refusal = ({ error }: { error: ApiError | undefined }) => {
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
        (problems[error.code] ?? error.message)
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
