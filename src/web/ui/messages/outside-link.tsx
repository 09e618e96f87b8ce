import type { ComponentChildren } from 'preact'
import { showLater } from '../kit/dialogs.tsx'
import { asksBefore, shownAddress } from './addresses.ts'

interface OutsideLinkProps {
  href: string
  /** The label, which could pass for an address; undefined if no confirmation is needed. */
  label: string | undefined
  /** Content of the link; its address by default. */
  children?: ComponentChildren
}

/** A link out of the client, in a new tab. Asks first if its label does not show the host that it leads to. */
export const OutsideLink = ({ href, label, children }: OutsideLinkProps) => {
  const ask = (event: MouseEvent) => {
    if (event.button > 1 || label === undefined || !asksBefore(label, href)) return
    event.preventDefault()
    void showLater(async () => {
      const { LeaveDialog } = await import('./leave-dialog.tsx')
      return () => <LeaveDialog href={href} label={label} />
    })
  }
  const address = shownAddress(href)
  return (
    <a
      href={href}
      title={address}
      // An address begins at its left; a label's own direction keeps it from reordering the text around it.
      dir={children === undefined ? 'ltr' : 'auto'}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={ask}
      onAuxClick={ask}
    >
      {children ?? address}
    </a>
  )
}
