import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { showNote } from './dialogs.tsx'

const onFailure = (): void => showNote(words.notLoaded)

interface LaterProps {
  load: () => Promise<() => ComponentChildren>
  /** True if nothing is shown while the part loads. */
  silent?: boolean
  /** True if the part contains the page's landmark, so that a placeholder landmark is needed meanwhile. */
  page?: boolean
  /** Shown while the part loads, instead of words. */
  meanwhile?: ComponentChildren
}

/** Content whose code is loaded when it is first shown. */
export const Later = ({ load, silent, page, meanwhile }: LaterProps) => {
  const [loaded, setLoaded] = useState<{ content: () => ComponentChildren }>()
  // The network that took the code away brings it back.
  const isOnline = connection.value === 'online'
  useEffect(() => void (loaded || load().then((content) => setLoaded({ content }), onFailure)), [isOnline])
  if (loaded) return <>{loaded.content()}</>
  if (silent || meanwhile) return <>{meanwhile}</>
  const line = <p class={`${page ? 'empty' : 'quiet'} loading`}>{words.loading}</p>
  return page ? (
    <main id="main" tabIndex={-1} aria-busy="true">
      {line}
    </main>
  ) : (
    line
  )
}
