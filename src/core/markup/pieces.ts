/** A piece of a line; it holds text, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; inside: Inline[] }
  /** `quiet`: written as `<…>`, so the link gets no preview. */
  | { kind: 'link'; href: string; inside: Inline[]; quiet?: true }
  | { kind: 'mention'; user_id: number }
  /** A role, a channel, everyone or here, as the server stores it. */
  | { kind: 'token'; token: string }
  | { kind: 'emoji'; id: number; name: string }
  /** A time, drawn in the reader's language and time zone, in one of Discord's styles. */
  | { kind: 'time'; seconds: number; style: string }
  | { kind: 'break' }

/** Appends text, merging it with a text piece at the end. */
export function append(pieces: Inline[], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.text += text
  else pieces.push({ kind: 'text', text })
}

/** The visible text of pieces, without marks; pictures, and things drawn by name, become □. */
export const drawnText = (pieces: Inline[]): string =>
  pieces
    .map((piece) => {
      if ('inside' in piece) return drawnText(piece.inside)
      return 'text' in piece ? piece.text : piece.kind === 'break' ? '\n' : '□'
    })
    .join('')
