import type { File } from '../../../features/files/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { download, urlOf } from '../../state/download-urls.ts'
import { sizeOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { closeDialog, Dialog, showDialog } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'

const SHOWN_PX = { width: 400, height: 300 }

/** The files of a message: pictures, and files to download. */
export const Attachments = ({ files }: { files: File[] }) => (
  <div class="attachments">
    {files.map((file) =>
      file.width === null ? <FileButton key={file.id} file={file} /> : <Image key={file.id} file={file} />,
    )}
  </div>
)

/** A picture. Its box has the final size before the picture loads, so that nothing moves. */
const Image = ({ file }: { file: File }) => {
  const { width, height } = file
  const scale = Math.min(1, SHOWN_PX.width / (width ?? 1), SHOWN_PX.height / (height ?? 1))
  const name = withoutBidi(file.filename)
  const url = urlOf(file.id)
  return (
    <button
      type="button"
      class="image"
      aria-label={words.files.open(name)}
      onClick={() => showDialog(() => <Lightbox file={file} />)}
    >
      <span style={{ width: `${Math.round((width ?? 1) * scale)}px`, aspectRatio: `${width} / ${height}` }}>
        {url ? <img src={url} alt={name} loading="lazy" decoding="async" /> : null}
      </span>
    </button>
  )
}

const FileButton = ({ file }: { file: File }) => {
  const name = withoutBidi(file.filename)
  return (
    <button type="button" class="file" onClick={() => void download(file.id, name)}>
      <Icon name="file" size={28} />
      <span>
        <bdi>{name}</bdi>
        <small>{sizeOf(file.size)}</small>
      </span>
      <Icon name="download" />
    </button>
  )
}

/** A dialog with one picture, as large as the window. */
const Lightbox = ({ file }: { file: File }) => {
  const name = withoutBidi(file.filename)
  const url = urlOf(file.id, 'original') ?? urlOf(file.id)
  return (
    <Dialog title={name} onClose={closeDialog} class="lightbox">
      {url ? <img src={url} alt={name} /> : <p>{words.loading}</p>}
      <footer>
        <small class="quiet">{sizeOf(file.size)}</small>
        <IconButton icon="download" label={words.files.download} onClick={() => void download(file.id, name)} />
      </footer>
    </Dialog>
  )
}
