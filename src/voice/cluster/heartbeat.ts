import type { Nodes } from '../../cluster/nodes.ts'

const BEAT_MS = 500
/** A node that has not been heard for so many beats is silent: 2.5 s, so that its calls go on elsewhere within 5. */
const MISSED_MAX = 5
/** When a node has not heard itself for so many beats, nobody can be reached. */
const LOST_MAX = 3
/** In an installation of so few nodes each listens to all; in a larger one to those that it has to do with. */
const FEW_NODES = 16

/**
 * Which nodes are heard. A node hears itself by the same way: while it does not, the way is closed and nobody's silence
 * means anything.
 * @param concerned the nodes that this one has to do with
 * @param beat says to one that this one lives
 * @param onTick called with every beat
 * @param onSilent called once for each that falls silent
 */
export function openLinks(
  nodes: Nodes,
  concerned: () => Iterable<string>,
  beat: (node: string) => void,
  onTick: () => void,
  onSilent: (node: string) => void,
) {
  const missed = new Map<string, number>()
  let lost = 0
  const isSilent = (node: string) => (missed.get(node) ?? 0) >= MISSED_MAX

  function tick(): void {
    onTick()
    const silent = [...missed.keys()].filter(isSilent)
    const watched = new Set([...nodes.others().slice(0, FEW_NODES), ...concerned(), ...silent])
    watched.delete(nodes.id)
    for (const node of missed.keys()) if (!watched.has(node)) missed.delete(node)
    for (const node of watched) {
      const beats = (missed.get(node) ?? 0) + (lost === 0 ? 1 : 0)
      // When the way is open again, everyone has the whole time again.
      missed.set(node, lost > LOST_MAX ? 0 : beats)
      if (lost === 0 && beats === MISSED_MAX) onSilent(node)
      beat(node)
    }
    lost++
    nodes.echo(() => void (lost = 0))
  }

  const timer = setInterval(tick, BEAT_MS)
  return {
    isSilent,
    /** Whether what is said reaches anybody. */
    isOpen: (): boolean => lost <= LOST_MAX,
    heard(node: string): void {
      // Whoever counts on us without our knowing is answered.
      if (!missed.has(node)) beat(node)
      missed.set(node, 0)
    },
    /** It has ended for good. */
    forget: (node: string): void => void missed.delete(node),
    stop: (): void => clearInterval(timer),
  }
}

export type Links = ReturnType<typeof openLinks>
