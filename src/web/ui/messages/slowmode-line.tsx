import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { follow, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { useSlowmode } from './slowmode.ts'

/** Shows that a channel has slowmode, and counts down until the account can write again. */
export const SlowmodeLine = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const channel = state.channels.get(channel_id)
  if (!channel || state.mayIn(channel, 'manage_messages')) return null
  return <Countdown channel={channel} />
}

const Countdown = ({ channel }: { channel: Channel }) => {
  const wait = useSlowmode(channel)
  const isBound = wait > 0
  const wasBound = useRef(false)
  const [text, setText] = useState('')
  useLayoutEffect(() => {
    if (isBound) setText(dialogWords.slowmode.wait(wait))
    else if (wasBound.current) setText(dialogWords.slowmode.over)
    wasBound.current = isBound
  }, [isBound])
  return (
    <>
      <p class="quiet waiting" role="timer">
        {isBound ? dialogWords.slowmode.wait(wait) : dialogWords.slowmode.on(channel.slowmode_seconds)}
      </p>
      {/* Read out when the wait begins and when it ends, not every second. */}
      <p class="hidden" role="status">
        {text}
      </p>
    </>
  )
}
