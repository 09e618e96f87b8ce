import { Problem } from '../../core/errors.ts'
import type { Seat } from '../seat.ts'
import { LISTENS } from '../sfu/peer-producers.ts'

/** Refuses a listener of a stage. @throws Problem `forbidden` */
export function demandSpeaker({ listens }: Pick<Seat, 'listens'>): void {
  if (listens) throw new Problem('forbidden', LISTENS)
}
