import type { Inline } from './pieces.ts'

export interface Item {
  inside: Inline[]
  /** Lists below the item. */
  below: Block[]
}

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'quote'; inside: Block[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'list'; first: number | undefined; items: Item[] }
  /** `rows` without the head; each has as many cells as it. */
  | { kind: 'table'; sides: (Side | undefined)[]; head: Inline[][]; rows: Inline[][][] }

/** The side of its cell on which a text stands. */
export type Side = 'left' | 'center' | 'right'
