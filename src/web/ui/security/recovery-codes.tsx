import { useLayoutEffect, useState } from 'preact/hooks'
import { state } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'

/** The recovery codes, this once: to download or to copy. */
export const RecoveryCodes = ({ codes }: { codes: string[] }) => {
  const heading = securityWords.codes.heading({ name: state.user?.username ?? '', host: location.host })
  const text = `${heading}\n\n${codes.join('\n')}\n`
  const [url, setUrl] = useState('')
  useLayoutEffect(() => {
    const objectUrl = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [text])
  return (
    <Dialog title={securityWords.codes.title} onClose={closeDialog} class="small">
      <div class="body">
        <p>{securityWords.codes.text}</p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div class="footer">
          <button type="button" onClick={() => void copyText(codes.join('\n'), words.copied)}>
            {words.copy}
          </button>
          <a class="button" href={url} download={securityWords.codes.file}>
            {securityWords.codes.download}
          </a>
          <button type="button" class="primary" onClick={closeDialog}>
            {securityWords.codes.saved}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
