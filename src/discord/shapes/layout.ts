import { z } from 'zod'
import type { EmbedBodies } from './embeds.ts'

/**
 * Components of Discord's second version as what Parley has: a text becomes content, a container or a section with a
 * picture a card, pictures become cards, and buttons and selects rows. Separators are left out; files of the message
 * are shown below it anyway.
 */

const ROW = 1
const BUTTON = 2
const SECTION = 9
const TEXT = 10
const THUMBNAIL = 11
const GALLERY = 12
const CONTAINER = 17
const DEPTH_MAX = 3
const PARTS_MAX = 40
const BUTTONS_MAX = 5

type EmbedBody = z.input<typeof EmbedBodies>[number]
const Media = z.object({ url: z.string() })
/** A component of any type, as far as this file reads it. */
const Part = z.looseObject({
  type: z.int(),
  content: z.string().optional(),
  get components() {
    return z.array(Part).max(PARTS_MAX).optional()
  },
  get accessory() {
    return Part.optional()
  },
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  media: Media.optional(),
  items: z
    .array(z.object({ media: Media }))
    .max(10)
    .optional(),
})
type Part = z.infer<typeof Part>
export const Parts = z.array(Part).max(PARTS_MAX)

/** The parts of a message that its components become. */
export interface Layout {
  content: string
  embeds: EmbedBody[]
  /** Rows as Discord's first version has them. */
  rows: { type: number; components: unknown[] }[]
}

/** True if components need the second version. */
export const isLayout = (components: unknown[]): boolean =>
  components.some((each) => Part.safeParse(each).data?.type !== ROW)

export function layoutOf(components: Part[]): Layout {
  const gatherer = new Gatherer()
  gatherer.take(components, 0)
  return gatherer.layout()
}

class Gatherer {
  readonly #texts: string[] = []
  readonly #embeds: EmbedBody[] = []
  readonly #rows: Layout['rows'] = []
  readonly #buttons: unknown[] = []

  take(parts: Part[], depth: number): void {
    for (const part of parts) {
      if (part.type === TEXT) this.#texts.push(part.content ?? '')
      else if (part.type === SECTION) this.#section(part)
      else if (part.type === CONTAINER && depth < DEPTH_MAX) this.#container(part, depth)
      else this.#other(part)
    }
  }

  layout(): Layout {
    return { content: this.#texts.join('\n'), embeds: this.#embeds, rows: [...this.#rows, ...this.#buttonRows()] }
  }

  #other({ type, items, components }: Part): void {
    if (type === GALLERY) for (const { media } of items ?? []) this.#embeds.push({ image: media })
    if (type === ROW) this.#rows.push({ type: ROW, components: components ?? [] })
  }

  /** Texts with a picture or a button at their side. */
  #section({ components = [], accessory }: Part): void {
    const texts = components.map(({ content }) => content ?? '')
    if (accessory?.type === THUMBNAIL && accessory.media)
      this.#embeds.push({ description: texts.join('\n'), thumbnail: accessory.media })
    else this.#texts.push(...texts)
    if (accessory?.type === BUTTON) this.#buttons.push(accessory)
  }

  #container({ components = [], accent_color }: Part, depth: number): void {
    const inner = new Gatherer()
    inner.take(components, depth + 1)
    const { content, embeds, rows } = inner.layout()
    const [first, ...others] = embeds
    const color = accent_color ?? undefined
    const isOne = first !== undefined && first.description === undefined
    if (content !== '' || isOne) this.#embeds.push({ ...(isOne ? first : {}), description: content || null, color })
    for (const embed of isOne ? others : embeds) this.#embeds.push({ ...embed, color })
    this.#rows.push(...rows)
  }

  /** Buttons of sections, in rows of their own. */
  #buttonRows(): Layout['rows'] {
    const rows = []
    for (let at = 0; at < this.#buttons.length; at += BUTTONS_MAX)
      rows.push({ type: ROW, components: this.#buttons.slice(at, at + BUTTONS_MAX) })
    return rows
  }
}
