import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Status } from '../../../features/members/model.ts'
import type { ApiError } from '../../client/rest.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { urlOf } from '../../state/download-urls.ts'
import { words } from '../../words/words.ts'
import { Icon, type IconName } from './icons.tsx'

/** Colours of initials, each with enough contrast to white. */
const COLORS = ['#b4432f', '#9a5b00', '#54741a', '#1b7a4b', '#0f766e', '#24699c', '#5457c4', '#8a45a8', '#a83a72']

const initialsOf = (name: string): string => {
  const letters = name.split(/[\s#_.-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.slice(0, 2).join('').toUpperCase() || '?'
}

interface Pictured {
  id: number
  name: string
  file_id: number | null | undefined
  size?: number
}

/** A picture of somebody or something, or its initials. Beside a name: readers of screens are not told. */
export const Picture = ({ id, name, file_id, size = 40 }: Pictured) => {
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

/** Somebody's picture, with the status where it is wanted. */
export const Avatar = ({ id, size, status }: { id: number; size?: number; status?: boolean }) => {
  follow('members')
  const user = state.users.get(id) ?? (id === state.me() ? state.user : undefined)
  return (
    <span class="avatar">
      <Picture id={id} name={nameOf(id)} file_id={user?.avatar_file_id} size={size ?? 40} />
      {status ? <Dot id={id} /> : null}
    </span>
  )
}

export const statusOf = (id: number): Status => {
  follow('statuses')
  return id === state.me() ? 'online' : (state.statuses.get(id) ?? 'offline')
}

const Dot = ({ id }: { id: number }) => {
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

/** A button that is an icon; its label is told and shown as a hint. */
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

/** A window with parts to choose from. */
export const Tabs = <T extends string>({
  names,
  tab,
  onTab,
}: {
  names: [T, string][]
  tab: T
  onTab: (tab: T) => void
}) => (
  <nav class="tabs" aria-label={words.sections}>
    {names.map(([name, title]) => (
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

/** A window over the page: it holds the focus, and Escape, the cross or a click beside it close it. */
export const Dialog = ({ title, onClose, children, class: style = '' }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  const beside = (event: MouseEvent) => event.target === element.current && onClose()
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={element} class={style} aria-label={title} onCancel={cancel} onMouseDown={beside}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

/** Runs something that the server may refuse, and keeps what it said. */
export function useAttempt() {
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const attempt = async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      return await work()
    } catch (refused) {
      setError(refused as ApiError)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { attempt, busy, error }
}

/** What was refused, rule by rule. */
export const Refusal = ({ error }: { error: ApiError | undefined }) => {
  if (!error) return null
  const wait = error.retry_after === undefined ? '' : ` ${words.retryAfter(error.retry_after)}`
  return (
    <div class="refusal" role="alert">
      {error.errors.length > 0 ? (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path + message}>
              {words.fields[path.replace(/^body\./, '') as keyof typeof words.fields] ?? ''} {message}
            </li>
          ))}
        </ul>
      ) : (
        (words.problems[error.code as keyof typeof words.problems] ?? error.message)
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
  const change = (event: Event) => onInput((event.target as HTMLInputElement).value)
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
