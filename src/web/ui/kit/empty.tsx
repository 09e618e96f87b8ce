import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.tsx'

interface EmptyProps {
  icon: IconName
  title: string
  /** Purpose of the place. */
  text?: string
  /** True if the page has no other content: the title is then its heading. */
  isPage?: boolean
  /** The next step. */
  children?: ComponentChildren
}

/** Placeholder of an empty place: its purpose and the next step. */
export const Empty = ({ icon, title, text, isPage, children }: EmptyProps) => (
  <div class="empty-state">
    <span class="sign">
      <Icon name={icon} size={26} />
    </span>
    {isPage ? <h1>{title}</h1> : <strong>{title}</strong>}
    {text ? <p>{text}</p> : null}
    {children ? <div class="choices">{children}</div> : null}
  </div>
)
