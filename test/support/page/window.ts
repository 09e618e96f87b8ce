import { join } from 'node:path'
import { GlobalWindow } from 'happy-dom'
import { type Network, requestClass, USER_AGENT } from './network.ts'
import './dom.ts'

/** The window of a page as the client sees it. */
export type PageWindow = Window & typeof globalThis

/** Names that the client takes from this process: the language's own, and what Bun has as browsers do. */
const OWN = new RegExp(
  `^(?:${[
    String.raw`Array\w*|BigInt\w*|Boolean|Buffer|DataView|Date|\w*Error|Float\d+Array|Function|Infinity|U?[Ii]nt\w+`,
    String.raw`JSON|Map|Math|NaN|Number|Object|Promise|RegExp|Set|String|Symbol|Weak\w+|undefined|constructor|eval`,
    String.raw`(?:de|en)codeURI\w*|escape|unescape|global|root|isNaN|isFinite|parse\w+|Text(?:En|De)coder|\w*Stream`,
    'URL|URLSearchParams|Headers|Request|Response|Blob|File|FormData|Abort\\w+|performance|crypto|btoa|atob',
    'queueMicrotask|happyDOM|DOMException',
  ].join('|')})$`,
)
/** Names that exist in this process, and not in a page of the tests. */
const ABSENT = ['indexedDB', 'Notification', 'BroadcastChannel', 'Worker', 'process', 'Bun', 'require', 'module']

/** Names that happy-dom has not. */
const ADDED = ['requestIdleCallback', 'cancelIdleCallback', 'AudioContext', 'isSecureContext']

interface Program {
  names: string[]
  run: (...values: unknown[]) => void
}
// One for all test files of a process, as in harness.ts.
const shared = ((globalThis as { parleyPages?: { program?: Promise<Program> } }).parleyPages ??= {})

/** The client, compiled once for all pages of this process. Each run of it is a page with its own modules. */
const program = (): Promise<Program> =>
  (shared.program ??= (async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'bundle.ts')], { stderr: 'inherit' })
    const code = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error('The web client does not build')
    const names = [...new Set([...namesOf(new GlobalWindow()), ...ADDED, ...ABSENT])]
    return { names, run: new Function(...names, code) as Program['run'] }
  })())

function namesOf(window: object): string[] {
  const names: string[] = []
  for (let at = window; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at))
  return names.filter((name) => /^[A-Za-z]\w*$/.test(name) && !OWN.test(name))
}

/** Timers of a page, which end with it. */
class Timers {
  readonly #running = new Map<number, { stop: () => void }>()
  #isClosed = false
  #last = 0

  constructor(private readonly onFault: (error: unknown) => void) {}

  #begin(work: () => void, ms: number, isRepeated: boolean): number {
    if (this.#isClosed) return 0
    const id = ++this.#last
    const run = () => {
      if (!isRepeated) this.#running.delete(id)
      try {
        work()
      } catch (error) {
        this.onFault(error)
      }
    }
    const timer = isRepeated ? setInterval(run, ms) : setTimeout(run, ms)
    this.#running.set(id, { stop: () => clearTimeout(timer) })
    return id
  }

  after = (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    this.#begin(() => work(...values), ms, false)
  every = (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    this.#begin(() => work(...values), ms, true)
  frame = (work: (at: number) => void) => this.#begin(() => work(performance.now()), FRAME_MS, false)
  idle = (work: (deadline: object) => void) =>
    this.#begin(() => work({ didTimeout: false, timeRemaining: () => FRAME_MS }), 0, false)

  stop = (id: unknown): void => {
    this.#running.get(Number(id))?.stop()
    this.#running.delete(Number(id))
  }

  close(): void {
    this.#isClosed = true
    for (const { stop } of this.#running.values()) stop()
    this.#running.clear()
  }
}

/** Nothing is painted, so a frame needs no longer. */
const FRAME_MS = 2

export interface WindowOptions {
  /** The languages of the browser, the preferred one first. */
  languages: string[]
  width: number
  height: number
  /** Run in the window before the client; they must use nothing of their surroundings but the window's globals. */
  before?: (() => void)[]
}

interface Surroundings extends WindowOptions {
  url: string
  html: string
  network: Network
  storages: { Storage: new () => Storage; localStorage: Storage; sessionStorage: Storage }
  /** Leaves the window for another page. */
  leave: (url: string, how: 'assign' | 'replace' | 'reload' | 'blank') => void
  /** Saves the file that a link leads to. */
  save: (link: HTMLAnchorElement) => void
  onFault: (error: unknown) => void
}

/** An open window with the client in it. */
export interface OpenWindow {
  window: PageWindow
  /** Calls a function with the window's globals in its scope; it must use nothing else of its surroundings. */
  evaluate: <T>(work: (...values: never[]) => T, ...values: unknown[]) => T
  close: () => void
}

/** Opens a window and starts the client in it. */
export async function openWindow(around: Surroundings): Promise<OpenWindow> {
  const { names, run } = await program()
  const timers = new Timers(around.onFault)
  const inner = new GlobalWindow({
    url: around.url,
    width: around.width,
    height: around.height,
    console: consoleOf(around.onFault),
    settings: {
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
      handleDisabledFileLoadingAsSuccess: true,
      navigator: { userAgent: USER_AGENT },
      // Animations never end here.
      device: { prefersReducedMotion: 'reduce' },
    },
  })
  inner.document.write(around.html.replace(/<script\b.*?<\/script>/gs, ''))
  const window = inner as unknown as PageWindow
  const send = around.network.fetchFor(() => window.location.href)
  equip(window, around, timers, send)
  const globals = () => names.map((name) => (window as unknown as Record<string, unknown>)[name])
  const evaluate: OpenWindow['evaluate'] = (work, ...inputs) =>
    new Function(...names, `return (${work})`)(...globals())(...inputs)
  for (const script of around.before ?? []) evaluate(script)
  run.apply(window, globals())
  return {
    window,
    evaluate,
    close: () => {
      timers.close()
      around.network.close()
      inner.happyDOM.abort()
    },
  }
}

/** Gives a window what happy-dom has otherwise, or not at all. */
function equip(window: PageWindow, around: Surroundings, timers: Timers, send: typeof fetch): void {
  const { navigator } = window
  const define = (target: object, properties: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(properties))
      Object.defineProperty(target, name, { value, writable: true, configurable: true })
  }
  define(navigator, { language: around.languages[0], languages: around.languages, onLine: !around.network.isOffline })
  define(window, {
    ...around.storages,
    setTimeout: timers.after,
    setInterval: timers.every,
    clearTimeout: timers.stop,
    clearInterval: timers.stop,
    requestAnimationFrame: timers.frame,
    cancelAnimationFrame: timers.stop,
    requestIdleCallback: timers.idle,
    cancelIdleCallback: timers.stop,
    fetch: send,
    WebSocket: around.network.socketClass(),
    XMLHttpRequest: requestClass(send),
    location: locationOf(window, around.leave),
    open: (url: string, target = '_blank') => around.leave(url, target === '_self' ? 'assign' : 'blank'),
    performance,
    crypto,
    isSecureContext: true,
    DataTransfer: Transfer,
    DragEvent: dragEvent(window),
    AudioContext: class {
      constructor() {
        return silence()
      }
    },
  })
  // After the client's own listeners, which may follow the link themselves.
  window.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[download]')
    if (!link || event.defaultPrevented) return
    event.preventDefault()
    around.save(link)
  })
  window.addEventListener('error', ({ error }) => around.onFault(error))
}

/** Things that are dragged or pasted. happy-dom's takes no files of this process. */
class Transfer {
  readonly #texts = new Map<string, string>()
  readonly files: File[] = []
  dropEffect = 'none'
  readonly items = {
    add: (thing: File | string, type = '') =>
      typeof thing === 'string' ? this.setData(type, thing) : void this.files.push(thing),
    [Symbol.iterator]: () => this.#items()[Symbol.iterator](),
  }

  #items(): object[] {
    const files = this.files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file }))
    return [...files, ...[...this.#texts.keys()].map((type) => ({ kind: 'string', type }))]
  }

  get types(): string[] {
    return [...this.#texts.keys(), ...(this.files.length > 0 ? ['Files'] : [])]
  }
  getData = (type: string): string => this.#texts.get(type) ?? ''
  setData = (type: string, text: string): void => void this.#texts.set(type, text)
}

const dragEvent = ({ MouseEvent }: PageWindow) =>
  class extends MouseEvent {
    readonly dataTransfer: Transfer | undefined
    constructor(type: string, init: MouseEventInit & { dataTransfer?: Transfer } = {}) {
      super(type, init)
      this.dataTransfer = init.dataTransfer
    }
  }

/** Anything of Web Audio: a page of the tests makes no sound. */
const silence = (): object =>
  new Proxy(() => {}, {
    get: (_, name) => (name === 'currentTime' ? 0 : name === 'then' ? undefined : silence()),
    set: () => true,
    apply: silence,
  })

/** The location of a window, which leads to other pages by way of the test's page. */
function locationOf(window: PageWindow, leave: Surroundings['leave']): Location {
  const target = window.location
  return new Proxy(target, {
    get: (_, key) => {
      if (key === 'assign' || key === 'replace') return (url: string) => leave(url, key)
      if (key === 'reload') return () => leave(target.href, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (_, key, value: string) => {
      if (key === 'href') leave(value, 'assign')
      else Reflect.set(target, key, value, target)
      return true
    },
  })
}

/** A console whose errors count as faults of the page. */
const consoleOf = (onFault: (error: unknown) => void): Console =>
  Object.assign(Object.create(console) as Console, {
    log: () => {},
    info: () => {},
    debug: () => {},
    warn: () => {},
    error: (...values: unknown[]) => onFault(values.length === 1 ? values[0] : values.map(String).join(' ')),
  })
