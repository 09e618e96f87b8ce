import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Icon } from '../kit/icons.tsx'
import { PinsButton } from '../messages/open-pins.tsx'
import { DateButton, NotificationButton } from '../notifications/buttons.tsx'
import { SearchButton } from '../search/open-search.tsx'

interface HeadToolsProps {
  channel_id: number
  server_id: number | null
  /** Content after the pins. */
  children?: ComponentChildren
}

/** Buttons of every place's header; on a phone all but the search are in a menu with their names. */
export const HeadTools = ({ channel_id, server_id, children }: HeadToolsProps) => {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  return (
    <>
      <div ref={menu} id={id} class="tools" popover="auto" onClick={close}>
        <DateButton place={{ channel_id }} />
        <NotificationButton server_id={server_id} channel_id={channel_id} />
        <PinsButton channel_id={channel_id} />
        {children}
      </div>
      <SearchButton />
      <button type="button" class="bare narrow" aria-label={words.tools} title={words.tools} popovertarget={id}>
        <Icon name="more" />
      </button>
    </>
  )
}
