import { useLayoutEffect, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { IconButton } from '../kit/controls.tsx'
import type { CodePiece } from './highlight.ts'

/** Splits code into highlighted pieces, by a chunk that is loaded with the first block. */
const highlightLater = (text: string, language: string) =>
  import('./highlight.ts').then(
    ({ highlight }) => highlight(text, language),
    () => undefined,
  )

/** Cache of the last highlighted blocks, so that a re-rendered block has its colours at once. */
const cache = new Map<string, CodePiece[]>()
const KEPT_MAX = 60

function keep(key: string, pieces: CodePiece[]): void {
  cache.set(key, pieces)
  for (const oldest of cache.keys()) if (cache.size > KEPT_MAX) cache.delete(oldest)
}

/** A block of code: plain at first, highlighted once the language is loaded. */
export const CodeBlock = ({ text, language }: { text: string; language: string }) => {
  const key = `${language} ${text}`
  const [pieces, setPieces] = useState(() => cache.get(key))
  useLayoutEffect(() => {
    let isCurrent = true
    setPieces(cache.get(key))
    if (language !== '' && !cache.has(key))
      void highlightLater(text, language).then((result) => {
        if (result) keep(key, result)
        if (isCurrent) setPieces(result)
      })
    return () => void (isCurrent = false)
  }, [key])
  return (
    <div class="code" dir="ltr">
      <pre tabIndex={0}>
        <code>
          {pieces?.map((piece, at) =>
            piece.style ? (
              <span key={at} class={piece.style}>
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          ) ?? text}
        </code>
      </pre>
      <div class="code-tools">
        {language ? <small>{language}</small> : null}
        <IconButton
          icon="copy"
          size={16}
          label={words.messages.copyCode}
          onClick={() => void copyText(text, words.messages.codeCopied)}
        />
      </div>
    </div>
  )
}
