import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { showNote } from './dialogs.tsx'

const failed = (error: unknown): void => showNote(words.failed(error instanceof Error ? error.message : String(error)))

/** Content whose code is loaded when it is first shown. */
export const Later = ({ load }: { load: () => Promise<() => ComponentChildren> }) => {
  const [loaded, setLoaded] = useState<{ content: () => ComponentChildren }>()
  useEffect(() => void load().then((content) => setLoaded({ content }), failed), [])
  return loaded ? <>{loaded.content()}</> : <p class="quiet loading">{words.loading}</p>
}
