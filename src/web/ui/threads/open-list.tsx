import type { FunctionComponent } from 'preact'
import type { ServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { threadsShown } from '../kit/pane.tsx'

/** The list, once it is loaded. */
let List: FunctionComponent<{ channel: ServerChannel }> | undefined

/** Shows or hides the list of threads next to a channel; loads its code when first used. */
export async function showThreads(isShown: boolean): Promise<void> {
  try {
    List ??= (await import('./thread-list.tsx')).ThreadList
    threadsShown.value = isShown
  } catch {
    showNote(words.notLoaded)
  }
}

/** The threads of a channel, which `showThreads` has loaded. */
export const Threads = ({ channel }: { channel: ServerChannel }) => (List ? <List channel={channel} /> : null)
