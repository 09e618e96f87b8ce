import type { z } from 'zod'
import type { Nodes } from '../../cluster/nodes.ts'
import { Problem } from '../../core/errors.ts'
import type { Links } from './heartbeat.ts'
import { ANSWER_MS_MAX, type messages, say, UNDERWAY_MAX } from './model.ts'

type Answer = z.output<(typeof messages)['voice.answer']>
type Asked = { [K in 'voice.command' | 'voice.move']: Omit<z.input<(typeof messages)[K]>, 'n'> }

/** What this node has asked of others and waits for. */
export function openAsking(nodes: Nodes, links: Pick<Links, 'isOpen' | 'isSilent'>) {
  const waiting = new Map<number, { of: string; answer: PromiseWithResolvers<unknown>; late: Timer }>()
  let asked = 0

  function end(n: number): PromiseWithResolvers<unknown> | undefined {
    const found = waiting.get(n)
    clearTimeout(found?.late)
    waiting.delete(n)
    return found?.answer
  }

  return {
    /**
     * Asks a node, and waits for what it answers.
     * @throws Problem as it refuses, `unavailable` when it cannot be reached or answers too late
     */
    ask<K extends keyof Asked>(node: string, kind: K, body: Asked[K]): Promise<unknown> {
      if (!links.isOpen() || links.isSilent(node) || waiting.size >= UNDERWAY_MAX) throw new Problem('unavailable')
      const n = ++asked
      const answer = Promise.withResolvers<unknown>()
      const late = setTimeout(() => end(n)?.reject(new Problem('unavailable')), ANSWER_MS_MAX)
      waiting.set(n, { of: node, answer, late })
      say(nodes, node, kind, { n, ...body } as never)
      return answer.promise
    },
    answered(from: string, { n, d, error }: Answer): void {
      if (waiting.get(n)?.of !== from) return
      const answer = end(n)
      if (!error) return answer?.resolve(d)
      const { code, detail, errors } = error
      answer?.reject(new Problem(code, detail, errors && { errors }))
    },
    /** Nothing more is to be expected of this node. */
    drop(node: string): void {
      for (const [n, { of }] of waiting) if (of === node) end(n)?.reject(new Problem('unavailable'))
    },
  }
}

export type Asking = ReturnType<typeof openAsking>
