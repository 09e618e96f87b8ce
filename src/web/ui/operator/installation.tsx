import { useEffect } from 'preact/hooks'
import type { Backups, PartHealth } from '../../../features/operator/model.ts'
import { momentOf, sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { operatorWords } from '../../words/operator.ts'
import { digits } from '../../words/plural.ts'
import { showNote } from '../kit/dialogs.tsx'
import { useAttempt } from '../kit/forms.tsx'
import { ask, useAnswer } from './answers.ts'
import { Facts, Refused } from './parts.tsx'

const { health: h, storage: s, backups: b } = operatorWords
const advices: Record<string, string | undefined> = h.advice

/** Health of each part, with advice. */
export const HealthSection = () => {
  const { answer, load, busy, error } = useAnswer(() => ask('GET /api/operator/health'))
  return (
    <>
      <Refused error={error} />
      <ul class="table">
        {answer?.map((part) => (
          <Part key={part.part} {...part} />
        ))}
      </ul>
      <button type="button" disabled={busy} onClick={() => void load()}>
        {operatorWords.refresh}
      </button>
    </>
  )
}

const isStated = (state: string): state is keyof typeof h.states => Object.hasOwn(h.states, state)

const Part = ({ part, level, state }: PartHealth) => {
  const advice = level === 'ok' ? undefined : (advices[`${part} ${state}`] ?? advices[part])
  return (
    <li class="health">
      <p>
        <strong>{h.parts[part]}</strong>{' '}
        {isStated(state) ? (
          <span class={`level ${state === 'off' ? '' : level}`}>{h.states[state]}</span>
        ) : (
          <span class={`level ${level}`}>{h.levels[level]}</span>
        )}{' '}
        {level === 'ok' || isStated(state) || advices[`${part} ${state}`] ? null : <code>{state}</code>}
      </p>
      {advice ? <p>{advice}</p> : null}
    </li>
  )
}

/** Storage used, and the accounts that use most of it. */
export const StorageSection = () => {
  const { answer, error } = useAnswer(() => ask('GET /api/operator/storage'))
  if (!answer) return <Refused error={error} />
  const { data, database_bytes, files, file_bytes, objects_to_remove, largest } = answer
  return (
    <>
      <Facts
        facts={[
          [s.data, data ? s.free({ free: sizeOf(data.free_bytes), size: sizeOf(data.size_bytes) }) : s.unknown],
          [s.database, sizeOf(database_bytes)],
          [s.files, s.filesLine({ n: files, size: sizeOf(file_bytes) })],
          [s.objects, digits(objects_to_remove)],
        ]}
      />
      <h2>{s.largest}</h2>
      {largest.length === 0 ? <p class="quiet">{operatorWords.none}</p> : null}
      <Facts facts={largest.map(({ username, stored_bytes }) => [withoutBidi(username), sizeOf(stored_bytes)])} />
    </>
  )
}

/** The last check of a backup, and how far the archive reaches. */
const Checks = ({ check, archive }: Backups) => {
  const time = check ? momentOf(check.at) : ''
  const until = archive?.until ?? null
  return (
    <>
      {check?.problem === null ? <p>{b.verified({ time, file: check.file })}</p> : null}
      {check?.problem ? <p class="refusal">{b.damaged({ time, file: check.file, reason: check.problem })}</p> : null}
      {archive ? <p>{until === null ? b.archiveBegins : b.archive(momentOf(until))}</p> : null}
    </>
  )
}

const RUNNING_MS = 3_000

/** The backups, and the button that begins one. */
export const BackupsSection = () => {
  const { answer, load, error } = useAnswer(() => ask('GET /api/operator/backups'))
  const { attempt, busy, error: refusal } = useAttempt()
  useEffect(() => {
    if (!answer?.running) return
    const timer = setTimeout(() => void load(), RUNNING_MS)
    return () => clearTimeout(timer)
  }, [answer])
  const begin = async () => {
    if (await attempt(() => ask('POST /api/operator/backups'))) showNote(b.begun)
    await load()
  }
  return (
    <>
      <Refused error={error ?? refusal} />
      {answer ? (
        <>
          <p>{b.every({ every: answer.every, keep: answer.keep })}</p>
          {answer.failure ? (
            <p class="refusal">{b.failed({ time: momentOf(answer.failure.at), reason: answer.failure.reason })}</p>
          ) : null}
          <Checks {...answer} />
          <p role="status">{answer.running ? b.running : ''}</p>
          <button type="button" class="primary" disabled={busy || answer.running} onClick={() => void begin()}>
            {b.now}
          </button>
          {answer.last.length === 0 ? <p class="quiet">{b.none}</p> : null}
          <ul class="table">
            {answer.last.map((backup) => (
              <li key={backup.finished_at}>
                <p>
                  <strong>{momentOf(backup.at)}</strong> {sizeOf(backup.bytes)}
                </p>
                <small>
                  {b.kinds[backup.kind]} {backup.is_encrypted ? `· ${b.encrypted}` : ''} <bdi>{backup.file ?? ''}</bdi>
                </small>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
