import { useEffect, useState } from 'preact/hooks'
import type { ReportDetails } from '../../../features/reports/model.ts'
import { momentOf, sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The messages before the reported one, its files, and the reporters with their reasons; loaded when it is shown. */
export const ReportContext = ({ report_id }: { report_id: number }) => {
  const [details, setDetails] = useState<ReportDetails>()
  const { attempt, error } = useAttempt()
  useEffect(() => {
    void attempt(() => call('GET /api/reports/:report_id', { report_id })).then(setDetails)
  }, [report_id])
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
                <ReportedFile report_id={report_id} file={file} />
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
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ReportedFileProps {
  report_id: number
  file: ReportDetails['files'][0]
}

/** A reported file, which stays covered until it is clicked: its bytes are not loaded before. */
const ReportedFile = ({ report_id, file }: ReportedFileProps) => {
  const [url, setUrl] = useState<string>()
  const { attempt, busy, error } = useAttempt()
  const name = withoutBidi(file.filename)
  const reveal = async () => {
    const variant = file.has_thumbnail ? 'thumbnail' : 'original'
    const path = { report_id, file_id: file.file_id }
    const answer = await attempt(() =>
      call('GET /api/reports/:report_id/files/:file_id/download-url', { ...path, variant }),
    )
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
