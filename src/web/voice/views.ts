import type { Source } from './local-tracks.ts'

/** Changes of a view are applied together, after this time: a window that is resized changes many times. */
const SETTLE_MS = 150

interface View {
  from: string
  source: Source
  /** Pixels of the screen; 0 while it is not visible. */
  height: number
}

/** Sizes at which the page shows the others' video; the SFU sends no larger ones. */
export class Views {
  readonly #views = new Map<object, View>()
  readonly #pending = new Map<string, Pick<View, 'from' | 'source'>>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param onChange called when a source is shown larger, smaller or no longer */
  constructor(private readonly onChange: (from: string, source: Source) => void) {}

  /** Sets how large an element shows a source; undefined removes the element. */
  set(viewer: object, from: string, source: Source, height: number | undefined): void {
    if (height === undefined) this.#views.delete(viewer)
    else this.#views.set(viewer, { from, source, height })
    this.#pending.set(`${from} ${source}`, { from, source })
    this.#timer ??= setTimeout(() => this.#apply(), SETTLE_MS)
  }

  /** The largest height at which any element shows the source, in pixels of the screen; 0 if none does. */
  heightOf(from: string, source: Source): number {
    const heights = [...this.#views.values()].filter((view) => view.from === from && view.source === source)
    return Math.max(0, ...heights.map(({ height }) => height))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pending.clear()
  }

  #apply(): void {
    const views = [...this.#pending.values()]
    this.stop()
    for (const { from, source } of views) this.onChange(from, source)
  }
}
