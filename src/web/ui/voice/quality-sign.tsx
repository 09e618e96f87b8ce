import { useLayoutEffect, useState } from 'preact/hooks'
import type { VoiceCall } from '../../voice/call.ts'
import type { Quality } from '../../voice/quality.ts'
import { callWords } from '../../words/call.ts'
import { spoken } from '../../words/plural.ts'
import { Icon } from '../kit/icons.tsx'

const PERIOD_MS = 3_000

/** Connection quality by voice session, measured while the component is shown; the key '' is this member's own. */
export function useQualities(call: VoiceCall | undefined): Map<string, Quality> {
  const [all, setAll] = useState<Map<string, Quality>>(new Map())
  useLayoutEffect(() => {
    if (!call) return
    const update = () => void call.qualities().then(setAll, () => {})
    const timer = setInterval(update, PERIOD_MS)
    update()
    return () => clearInterval(timer)
  }, [call])
  return all
}

const format = (value: number, options: Intl.NumberFormatOptions) => value.toLocaleString(spoken.locale, options)

/** Why a connection is not good, in words. */
function reasonIn({ reason }: Quality, isOwn: boolean): string {
  if (!reason) return ''
  if (reason.what === 'processor') return callWords.processor
  if (reason.what === 'delay') return callWords.delay(format(reason.ms, { style: 'unit', unit: 'millisecond' }))
  const share = format(reason.share, { style: 'percent' })
  const { losses } = callWords
  if (reason.what === 'upload') return isOwn ? losses.ownUpload(share) : losses.upload(share)
  return isOwn ? losses.ownDownload(share) : losses.download(share)
}

/** Connection quality of a member: bars, and the cause of a bad connection in words. */
export const QualitySign = ({ quality, isOwn }: { quality: Quality; isOwn: boolean }) => {
  const { level } = quality
  const reason = reasonIn(quality, isOwn)
  const label = [callWords.quality[level], reason].filter(Boolean).join(': ')
  return (
    <span class={`quality ${level}`}>
      <span role="img" aria-label={label} title={label}>
        <Icon name={level} size={14} />
      </span>
      {reason === '' ? null : <small aria-hidden="true">{reason}</small>}
    </span>
  )
}
