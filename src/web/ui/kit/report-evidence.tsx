import { useEffect, useState } from 'preact/hooks'
import type { Download } from '../../../features/files/model.ts'
import type { ReportDetails } from '../../../features/reports/model.ts'
import { momentOf, sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { moderationWords } from '../../words/moderation.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from './forms.tsx'

interface ReportEvidenceProps {
  load: () => Promise<ReportDetails>
  /** The URL of a kept file. */
  urlOf: (fileId: number, variant: 'original' | 'thumbnail') => Promise<Download>
  /** Ignores a reporter; absent where that is not offered. */
  onIgnore?: (userId: number) => void
}

/** The messages before the reported one, its files, and the reporters with their reasons; loaded when it is shown. */
export const ReportEvidence = ({ load, urlOf, onIgnore }: ReportEvidenceProps) => {
  const [details, setDetails] = useState<ReportDetails>()
  const { attempt, error } = useAttempt()
  useEffect(() => {
    void attempt(load).then(setDetails)
  }, [])
  if (!details) return error ? <Refusal error={error} /> : <p class="quiet loading">{words.loading}</p>
  const { evidence, reporters, files, omitted_files } = details
  return (
    <div class="report-context">
      <ol>
        {evidence.map(({ author, content, created_at }, at) => (
          <li key={at}>
            <strong>
              <bdi>{withoutBidi(author.display_name)}</bdi>
            </strong>{' '}
            <small>{momentOf(created_at)}</small>
            <p dir="auto">{content}</p>
          </li>
        ))}
      </ol>
      {files.length > 0 ? (
        <>
          <h4>{moderationWords.files}</h4>
          <ul>
            {files.map((file) => (
              <li key={file.file_id}>
                <ReportedFile file={file} urlOf={urlOf} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {omitted_files > 0 ? <p class="quiet">{moderationWords.omitted(omitted_files)}</p> : null}
      <h4>{moderationWords.reportedBy}</h4>
      <ul>
        {reporters.map(({ user, reason, note, created_at }) => (
          <li key={user.id}>
            <bdi>{withoutBidi(user.display_name)}</bdi>: {moderationWords.reasons[reason]}{' '}
            <small>{momentOf(created_at)}</small>
            {note === '' ? null : <p dir="auto">{note}</p>}
            {onIgnore ? (
              <button type="button" class="link" onClick={() => onIgnore(user.id)}>
                {moderationWords.ignore}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

type ReportedFileProps = Pick<ReportEvidenceProps, 'urlOf'> & { file: ReportDetails['files'][0] }

/** A reported file, which stays covered until it is clicked: its bytes are not loaded before. */
const ReportedFile = ({ file, urlOf }: ReportedFileProps) => {
  const [url, setUrl] = useState<string>()
  const { attempt, busy, error } = useAttempt()
  const name = withoutBidi(file.filename)
  const reveal = async () => {
    const variant = file.has_thumbnail ? 'thumbnail' : 'original'
    const answer = await attempt(() => urlOf(file.file_id, variant))
    if (answer && file.has_thumbnail) setUrl(answer.download_url)
    else if (answer) open(answer.download_url, '_blank', 'noopener')
  }
  if (url) return <img src={url} alt={name} />
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void reveal()}>
        {moderationWords.revealFile(name)} <small>{sizeOf(file.size)}</small>
      </button>
      <Refusal error={error} />
    </>
  )
}
