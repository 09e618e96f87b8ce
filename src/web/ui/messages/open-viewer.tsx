import { showLater } from '../kit/dialogs.tsx'
import type { ShownPicture } from './media.ts'

/** Shows a picture in a full-window dialog with buttons to the other pictures of its place. */
export const openViewer = (first: ShownPicture): Promise<void> =>
  showLater(async () => {
    const { Viewer } = await import('./viewer.tsx')
    return () => <Viewer place={{ channel_id: first.entry.channel_id }} first={first} />
  })
