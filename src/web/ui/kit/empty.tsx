import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.tsx'

interface EmptyProps {
  icon: IconName
  title: string
  /** What the place is for. */
  text?: string
  /** Whether the page holds nothing else: then the title is its heading. */
  isPage?: boolean
  /** The next step. */
  children?: ComponentChildren
}

/** What stands in a place without content: what it is for, and what to do next. */
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
