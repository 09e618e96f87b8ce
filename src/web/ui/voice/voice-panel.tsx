import { useEffect, useState } from 'preact/hooks'
import { changed, followCall, hangUp, reason, toggleScreen, trouble } from '../../voice/current-call.ts'
import { withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { channelPath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'

const LOOK_MS = 3_000

/** By which way the call goes, said to people: straight, through the relay, or through the server. */
function useWay(): string {
  const now = followCall()
  const [relayed, setRelayed] = useState(false)
  useEffect(() => {
    if (!now) return
    const look = async () => {
      const links = now.route === 'p2p' ? [...(await now.connections()).values()] : []
      setRelayed(links.some((link) => link.pair_type === 'relay'))
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [now, now?.route])
  if (!now) return ''
  const why = reason.value === undefined ? '' : `: ${words.voice.reasons[reason.value]}`
  return words.voice.ways[now.route === 'sfu' ? 'sfu' : relayed ? 'relay' : 'p2p'] + why
}

/** The call that one is in, wherever one looks. */
export const VoicePanel = () => {
  const now = followCall()
  const way = useWay()
  const fault = trouble.value
  if (!now)
    return fault ? (
      <p class="calling refusal" role="alert">
        {fault}
      </p>
    ) : null
  const channel = state.channels.get(now.channel_id)
  const mayShare = channel !== undefined && state.mayIn(channel, 'share_screen')
  return (
    <section class="calling" aria-label={words.voice.call}>
      <p role="status">
        <strong>{words.voice.states[now.state]}</strong>{' '}
        {channel ? <a href={channelPath(channel.server_id, channel.id)}>{withoutBidi(channel.name)}</a> : null}
      </p>
      <small>{way}</small>
      {now.silenced ? <small class="warned">{words.voice.silenced}</small> : null}
      {fault ? <small class="warned">{fault}</small> : null}
      <div class="controls">
        <IconButton
          icon={now.self_mute ? 'micOff' : 'mic'}
          label={now.self_mute ? words.voice.unmute : words.voice.mute}
          pressed={now.self_mute}
          onClick={() => void now.setMute(!now.self_mute).then(changed)}
        />
        <IconButton
          icon={now.self_deaf ? 'deaf' : 'hear'}
          label={now.self_deaf ? words.voice.undeafen : words.voice.deafen}
          pressed={now.self_deaf}
          onClick={() => void now.setDeaf(!now.self_deaf).then(changed)}
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
