import { signal } from '@preact/signals'
import { call } from '../../state/session.ts'
import { showLater } from '../kit/dialogs.tsx'

/** Files of messages that are being written, which have a description. */
export const describedIds = signal<ReadonlySet<number>>(new Set())

/** Asks what a file shows, for those who do not see it. */
export const showDescription = (fileId: number, name: string): Promise<void> =>
  showLater(async () => {
    const { DescriptionDialog } = await import('./description.tsx')
    const { alt } = await call('GET /api/files/:file_id', { file_id: fileId })
    const note = (isDescribed: boolean) => {
      const others = [...describedIds.value].filter((id) => id !== fileId)
      describedIds.value = new Set(isDescribed ? [...others, fileId] : others)
    }
    return () => <DescriptionDialog file_id={fileId} name={name} before={alt ?? ''} onSaved={note} />
  })
