import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { showNote } from './dialogs.tsx'

const failed = (): void => showNote(words.notLoaded)

interface LaterProps {
  load: () => Promise<() => ComponentChildren>
  /** Whether nothing is shown while it loads. */
  silent?: boolean
}

/** Content whose code is loaded when it is first shown. */
export const Later = ({ load, silent }: LaterProps) => {
  const [loaded, setLoaded] = useState<{ content: () => ComponentChildren }>()
  useEffect(() => void load().then((content) => setLoaded({ content }), failed), [])
  return loaded ? <>{loaded.content()}</> : silent ? null : <p class="quiet loading">{words.loading}</p>
}
