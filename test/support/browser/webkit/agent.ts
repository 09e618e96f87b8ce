/** A value as WebDriver BiDi writes it. Source: W3C WebDriver BiDi, section "Remote values". */
export interface Remote {
  type?: string
  value?: unknown
  handle?: string
  sharedId?: string
}

/** Errors and dialogs in a document since the last question. */
export interface Happened {
  realm: string
  url: string
  errors: string[]
  /** The handle of an input whose dialog of files was opened. */
  chooser: string | null
}

export interface Agent {
  realm: string
  take(arg: Remote): unknown
  /** Runs work, and gives its result as the answer of WebDriver BiDi. */
  answer(work: () => unknown, isHandled: boolean): Promise<object>
  element(id: string): unknown
  forget(ids: string[]): void
  happened(): Happened
}

/**
 * Runs in the page: keeps the objects that playwright has handles of, and notes errors and dialogs of files. It must
 * use nothing else but the window's globals, because its text is sent to the browser.
 */
export function installAgent(realm: string): void {
  const handles = new Map<string, unknown>()
  let [last, chooser] = [0, null as string | null]
  const errors: string[] = []
  const keep = (value: unknown): string => {
    handles.set(`${realm}-${++last}`, value)
    return `${realm}-${last}`
  }

  const take = (arg: Remote): unknown => {
    const { type, value, handle = arg.sharedId } = arg
    if (handle !== undefined) return handles.get(handle)
    if (type === 'array') return (value as Remote[]).map(take)
    if (type === 'object')
      return Object.fromEntries(
        (value as [Remote | string, Remote][]).map(([key, each]) => [
          typeof key === 'string' ? key : take(key),
          take(each),
        ]),
      )
    if (type === 'number') return Number(value)
    if (type === 'null') return null
    return type === 'undefined' ? undefined : value
  }

  const remoteOf = (value: unknown, isHandled: boolean): Remote => {
    if (value === undefined) return { type: 'undefined' }
    if (value === null) return { type: 'null' }
    if (typeof value === 'number') {
      const isPlain = Number.isFinite(value) && !Object.is(value, -0)
      return { type: 'number', value: isPlain ? value : Object.is(value, -0) ? '-0' : String(value) }
    }
    if (typeof value === 'string' || typeof value === 'boolean') return { type: typeof value, value }
    if (value instanceof Node) {
      const id = keep(value)
      return { type: 'node', handle: id, sharedId: id, value: { localName: value.nodeName.toLowerCase() } }
    }
    if (value === window) return { type: 'window', handle: keep(value) }
    const type = typeof value === 'function' ? 'function' : Array.isArray(value) ? 'array' : 'object'
    if (isHandled) return { type, handle: keep(value) }
    if (type === 'function') return { type }
    if (Array.isArray(value)) return { type, value: value.map((each) => remoteOf(each, false)) }
    return { type, value: Object.entries(value).map(([key, each]) => [key, remoteOf(each, false)]) }
  }

  const agent: Agent = {
    realm,
    take,
    async answer(work, isHandled) {
      try {
        return { type: 'success', realm, result: remoteOf(await work(), isHandled) }
      } catch (error) {
        return { type: 'exception', realm, exceptionDetails: { text: String(error) } }
      }
    },
    element: (id) => handles.get(id),
    forget: (ids) => ids.forEach((id) => handles.delete(id)),
    happened: () => ({
      realm,
      url: location.href,
      errors: errors.splice(0),
      chooser: [chooser, (chooser = null)][0] ?? null,
    }),
  }
  Reflect.set(window, 'parleyAgent', agent)
  // playwright cannot install this itself, because the policy of our pages forbids it.
  Reflect.set(window, '__pw_bidiInsertText', (text: string) => void document.execCommand('insertText', false, text))
  window.addEventListener('error', ({ error, message }) => errors.push(String(error?.stack ?? error ?? message)))
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason?.stack ?? reason)))
  const { click } = HTMLInputElement.prototype
  HTMLInputElement.prototype.click = function () {
    if (this.type === 'file') chooser = keep(this)
    else click.call(this)
  }
}
