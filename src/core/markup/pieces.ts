/** A piece of a message's line; text, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; inside: Inline[] }
  /** `quiet`: written in `<…>`, for a link without a preview. */
  | { kind: 'link'; href: string; inside: Inline[]; quiet?: true }
  | { kind: 'mention'; user_id: number }
  /** A role, a channel, everyone or here, as the server stores it. */
  | { kind: 'token'; token: string }
  | { kind: 'emoji'; id: number; name: string }
  /** A moment that is drawn in the reader's language and time zone, by one of Discord's styles. */
  | { kind: 'time'; seconds: number; style: string }
  | { kind: 'break' }

/** Adds text to the text at the end, if there is some. */
export function append(pieces: Inline[], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.text += text
  else pieces.push({ kind: 'text', text })
}

/** The text that is drawn for pieces of a line, without marks; what is drawn as a picture or by a name is □. */
export const drawnText = (pieces: Inline[]): string =>
  pieces
    .map((piece) => {
      if ('inside' in piece) return drawnText(piece.inside)
      return 'text' in piece ? piece.text : piece.kind === 'break' ? '\n' : '□'
    })
    .join('')
