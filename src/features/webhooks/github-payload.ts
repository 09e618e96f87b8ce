import type { Draft } from './fit-embeds.ts'
import { cut, textAt } from './payload.ts'

const BODY_MAX = 500
export const OID_SHOWN = 7
export const COLORS = { good: '#2da44e', bad: '#cf222e', merged: '#8250df', quiet: '#6e7781', news: '#0969da' }

/** Describes an event as an embed; undefined for events that are not posted. */
export type Teller = (payload: unknown) => Draft | undefined

/** The first line of a text, bounded. */
export const firstLine = (text: string, max: number): string =>
  cut(
    text
      .slice(0, 4 * max)
      .split('\n', 1)[0]
      ?.trim() ?? '',
    max,
  )

/** A text without the HTML comments that templates leave in it. */
export const body = (text: string): string =>
  cut(
    text
      .slice(0, 10 * BODY_MAX)
      .replaceAll(/<!--[^]*?-->/g, '')
      .trim(),
    BODY_MAX,
  )

/** Escapes Markdown. */
export const literal = (text: string): string => text.replaceAll(/[\\`*_~|[\]<>@#]/g, '\\$&')

export const repository = (payload: unknown): string => textAt(payload, 'repository', 'full_name')
export const action = (payload: unknown): string => textAt(payload, 'action').replaceAll('_', ' ')
export const branchOf = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '')
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** An address that is safe within a Markdown link. */
export const safe = (url: string): string => (/^https?:\/\/[^\s<>]{1,1900}$/i.test(url) ? url : 'https://github.com')
