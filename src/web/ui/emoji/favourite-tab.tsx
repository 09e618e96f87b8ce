import { useEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { Favourite } from '../../../features/favourites/model.ts'
import { newNonce } from '../../client/nonce.ts'
import { urlOf } from '../../state/download-urls.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, gateway } from '../../state/session.ts'
import { stickerWords } from '../../words/stickers.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import type { SendsPicture } from './sends-picture.ts'

interface FavouriteTabProps {
  channel: Channel
  sends: SendsPicture
}

/** The part of the picker that sends the pictures that the account keeps. */
export const FavouriteTab = ({ channel, sends }: FavouriteTabProps) => {
  const [rows, setRows] = useState<Favourite[]>()
  const { attempt, busy, error } = useAttempt()
  const turn = useRef(0)
  const load = async () => {
    const now = ++turn.current
    const answer = await attempt(() => call('GET /api/favourites'))
    if (answer && now === turn.current) setRows(answer)
  }
  useEffect(() => {
    void load()
    return gateway.listen(({ t }) => {
      if (t === 'favourite.created' || t === 'favourite.deleted' || t === 'ready') void load()
    })
  }, [])
  const says = stickerWords.pictures
  const send = async ({ id }: Favourite) => {
    const closeThis = topDialogCloser()
    const sent = await attempt(async () => {
      const file = await call('POST /api/favourites/:favourite_id/file', { favourite_id: id })
      const draft = { ...sends.draft(), file_ids: [file.id], nonce: newNonce() }
      return call('POST /api/channels/:channel_id/messages', { channel_id: channel.id }, draft)
    })
    if (!sent) return
    closeThis()
    sends.onSent()
  }
  const remove = (favourite: Favourite) =>
    attempt(() => call('DELETE /api/favourites/:favourite_id', { favourite_id: favourite.id }))
  return (
    <>
      <div class="scroll kept" tabIndex={-1}>
        {rows ? null : <p class="quiet">{words.loading}</p>}
        {rows?.length === 0 ? <Empty icon="bookmark" title={says.none} text={says.noneText} /> : null}
        <ul>
          {(rows ?? []).map((row) => (
            <KeptPicture
              key={row.id}
              row={row}
              busy={busy}
              send={() => void send(row)}
              remove={() => void remove(row)}
            />
          ))}
        </ul>
      </div>
      <Refusal error={error} says={says.problems} />
    </>
  )
}

interface KeptPictureProps {
  row: Favourite
  busy: boolean
  send: () => void
  remove: () => void
}

const KeptPicture = ({ row: { file }, busy, send, remove }: KeptPictureProps) => {
  const name = withoutBidi(file.alt ?? file.filename)
  const url = urlOf(file.id)
  return (
    <li>
      <button
        type="button"
        class="bare"
        aria-label={stickerWords.pictures.send(name)}
        title={name}
        disabled={busy}
        onClick={send}
      >
        {url ? <img src={url} alt="" draggable={false} /> : null}
      </button>
      <IconButton icon="trash" size={16} label={stickerWords.pictures.remove(name)} onClick={remove} />
    </li>
  )
}
