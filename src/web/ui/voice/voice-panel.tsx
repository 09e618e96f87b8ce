import { useEffect, useState } from 'preact/hooks'
import { callError, followCall, hangUp, routeReason, toggleScreen, touchCall } from '../../voice/current-call.ts'
import { titleOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { placePath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'

const STATS_MS = 3_000

/** The route of the call in words: direct, over the TURN server, or over the SFU. */
function useRoute(): string {
  const now = followCall()
  const [relayed, setRelayed] = useState(false)
  useEffect(() => {
    if (!now) return
    const update = async () => {
      const connections = now.route === 'p2p' ? [...(await now.connections()).values()] : []
      setRelayed(connections.some(({ pair_type }) => pair_type === 'relay'))
    }
    void update()
    const timer = setInterval(() => void update(), STATS_MS)
    return () => clearInterval(timer)
  }, [now, now?.route])
  if (!now) return ''
  const reason = routeReason.value === undefined ? '' : `: ${words.voice.reasons[routeReason.value]}`
  return words.voice.routes[now.route === 'sfu' ? 'sfu' : relayed ? 'relay' : 'p2p'] + reason
}

/** The current call and its controls, on every page. */
export const VoicePanel = () => {
  const now = followCall()
  const route = useRoute()
  const error = callError.value
  if (!now)
    return error ? (
      <p class="current-call refusal" role="alert">
        {error}
      </p>
    ) : null
  const channel = state.channels.get(now.channel_id)
  const mayShare = channel !== undefined && state.mayIn(channel, 'share_screen')
  return (
    <section class="current-call" aria-label={words.voice.call}>
      <p role="status">
        <strong>{words.voice.states[now.state]}</strong>{' '}
        {channel ? <a href={placePath(channel.id)}>{titleOf(channel)}</a> : null}
      </p>
      <small>{route}</small>
      {now.silenced ? <small class="warned">{words.voice.silenced}</small> : null}
      {error ? <small class="warned">{error}</small> : null}
      <div class="controls">
        <IconButton
          icon={now.self_mute ? 'micOff' : 'mic'}
          label={now.self_mute ? words.voice.unmute : words.voice.mute}
          pressed={now.self_mute}
          onClick={() => void now.setMute(!now.self_mute).then(touchCall)}
        />
        <IconButton
          icon={now.self_deaf ? 'deaf' : 'undeaf'}
          label={now.self_deaf ? words.voice.undeafen : words.voice.deafen}
          pressed={now.self_deaf}
          onClick={() => void now.setDeaf(!now.self_deaf).then(touchCall)}
        />
        {mayShare ? (
          <IconButton
            icon="screen"
            label={now.sharing_screen ? words.voice.unshare : words.voice.share}
            pressed={now.sharing_screen}
            onClick={() => void toggleScreen()}
          />
        ) : null}
        <IconButton icon="hangUp" class="danger" label={words.voice.leave} onClick={() => void hangUp()} />
      </div>
    </section>
  )
}
