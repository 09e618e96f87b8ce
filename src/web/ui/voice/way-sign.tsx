import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { routeReason } from '../../voice/current-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { callWords } from '../../words/call.ts'
import { placeBeside } from '../kit/menu.tsx'

const STATS_MS = 3_000

/** How the call's sound travels: from person to person, over the TURN server, or over the SFU. */
function useWay(call: VoiceCall): keyof typeof callWords.routes {
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
export const WaySign = ({ call }: { call: VoiceCall }) => {
  const way = useWay(call)
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLParagraphElement>(null)
  const reason = routeReason.value
  const place = () => panel.current && opener.current && placeBeside(panel.current, opener.current)
  return (
    <>
      <button ref={opener} type="button" class="way" popovertarget={id}>
        {callWords.routes[way]}
      </button>
      <p ref={panel} id={id} class="reason" popover="auto" onToggle={place}>
        {callWords.ways[way]} {reason === undefined ? null : callWords.because(callWords.reasons[reason])}
      </p>
    </>
  )
}
