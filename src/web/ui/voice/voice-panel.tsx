import { useEffect, useId, useState } from 'preact/hooks'
import { callError, followCall, routeReason } from '../../voice/current-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { titleOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { placePath, route } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { CallControls } from './call-controls.tsx'

const STATS_MS = 3_000

/** How the call's sound travels: from person to person, over the TURN server, or over the SFU. */
function useWay(call: VoiceCall): keyof typeof words.voice.routes {
  const [relayed, setRelayed] = useState(false)
  useEffect(() => {
    const update = async () => {
      const connections = call.route === 'p2p' ? [...(await call.connections()).values()] : []
      setRelayed(connections.some(({ pair_type }) => pair_type === 'relay'))
    }
    void update()
    const timer = setInterval(() => void update(), STATS_MS)
    return () => clearInterval(timer)
  }, [call, call.route])
  return call.route === 'sfu' ? 'sfu' : relayed ? 'relay' : 'p2p'
}

/** The way of the call in a word or two; what that means, and why it is so, one click away. */
const WaySign = ({ call }: { call: VoiceCall }) => {
  const way = useWay(call)
  const id = useId()
  const reason = routeReason.value
  return (
    <>
      <button type="button" class="way" popovertarget={id}>
        {words.voice.routes[way]}
      </button>
      <p id={id} class="reason" popover="auto">
        {words.voice.ways[way]} {reason === undefined ? null : words.voice.because(words.voice.reasons[reason])}
      </p>
    </>
  )
}

/** The current call, on every page; its controls, unless the stage beside has them. */
export const VoicePanel = () => {
  const now = followCall()
  const error = callError.value
  if (!now)
    return error ? (
      <p class="current-call refusal" role="alert">
        {error}
      </p>
    ) : null
  const channel = state.channels.get(now.channel_id)
  const here = route.value
  const isOnStage = 'channel_id' in here && here.channel_id === now.channel_id
  return (
    <section class={`current-call ${isOnStage ? 'on-stage' : ''}`} aria-label={words.voice.call}>
      <p role="status">
        <strong>{words.voice.states[now.state]}</strong>{' '}
        {channel ? <a href={placePath(channel.id)}>{titleOf(channel)}</a> : null}
      </p>
      <WaySign call={now} />
      {now.silenced ? <small class="warned">{words.voice.silenced}</small> : null}
      {error ? <small class="warned">{error}</small> : null}
      {isOnStage ? null : <CallControls call={now} />}
    </section>
  )
}
