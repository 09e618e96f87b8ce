import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { followCall } from '../../voice/shown-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { callWords } from '../../words/call.ts'
import { spoken } from '../../words/plural.ts'
import { Icon } from '../kit/icons.tsx'
import { placeBeside } from '../kit/open-menu.tsx'
import { CallCode } from './seal-signs.tsx'

const STATS_MS = 3_000

interface Way {
  way: keyof typeof callWords.routes
  /** Round trip of the slowest connection, ms; only peer to peer. */
  delay: number | undefined
}

/** Route of the call's media (peer to peer, TURN server or SFU), and its delay. */
function useWay(call: VoiceCall): Way {
  const [{ relayed, delay }, setRead] = useState<{ relayed: boolean; delay?: number }>({ relayed: false })
  useEffect(() => {
    const update = async () => {
      const all = call.route === 'p2p' ? [...(await call.connections()).values()] : []
      const delays = all.flatMap(({ rtt_ms }) => rtt_ms ?? [])
      const isRelayed = all.some(({ pair_type }) => pair_type === 'relay')
      setRead(delays.length > 0 ? { relayed: isRelayed, delay: Math.max(...delays) } : { relayed: isRelayed })
    }
    void update()
    const timer = setInterval(() => void update(), STATS_MS)
    return () => clearInterval(timer)
  }, [call, call.route])
  return { way: call.route === 'sfu' ? 'sfu' : relayed ? 'relay' : 'p2p', delay }
}

const milliseconds = (value: number): string =>
  Math.ceil(value).toLocaleString(spoken.locale, { style: 'unit', unit: 'millisecond' })

/** The route of the call in a word or two. A click shows its meaning and its reason. */
export const WaySign = ({ call }: { call: VoiceCall }) => {
  const { way, delay } = useWay(call)
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  followCall()
  const { route_reason: reason } = call
  const encryption = call.sealing.state
  const [isOpen, setOpen] = useState(false)
  const place = () => panel.current && opener.current && placeBeside(panel.current, opener.current)
  // With all that it shows when it is open.
  useLayoutEffect(() => void (isOpen && place()), [isOpen])
  const toggle = ({ newState }: { newState: string }) => {
    setOpen(newState === 'open')
    place()
  }
  return (
    <>
      <button ref={opener} type="button" class="way" popovertarget={id}>
        {encryption === 'sealed' ? (
          <span role="img" aria-label={callWords.encryption.sign}>
            <Icon name="lock" size={13} />
          </span>
        ) : null}
        {callWords.routes[way]}
        {delay === undefined ? null : <small>· {milliseconds(delay)}</small>}
      </button>
      <div ref={panel} id={id} class="reason" popover="auto" onToggle={toggle}>
        {callWords.ways[way]} {reason === undefined ? null : callWords.because(callWords.reasons[reason])}{' '}
        {encryption === 'sealed' ? callWords.encryption.sealed : null}
        {encryption === 'open' ? callWords.encryption.open[call.sealing.reason ?? 'member'] : null}
        {isOpen && encryption === 'sealed' ? <CallCode call={call} /> : null}
      </div>
    </>
  )
}
