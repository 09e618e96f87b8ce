import { effect, signal } from '@preact/signals'

/** A floating window for arbitrary elements. Source: WICG, "Document Picture-in-Picture". */
interface WindowMaker {
  requestWindow(options: { width: number; height: number }): Promise<Window>
}

const maker = (): WindowMaker | undefined => Reflect.get(window, 'documentPictureInPicture')

/** The floating window that shows the call, if there is one. */
export const floating = signal<Window | undefined>(undefined)

/** True if this browser can show a call above other windows. */
export const canFloat = (): boolean => maker() !== undefined || document.pictureInPictureEnabled

/** Opens an empty window with the page's styles. @returns undefined if the browser has no such windows */
export async function openFloating(size: { width: number; height: number }): Promise<Window | undefined> {
  const popup = await maker()?.requestWindow(size)
  if (!popup) return undefined
  const { documentElement: root } = document
  for (const { name, value } of root.attributes) popup.document.documentElement.setAttribute(name, value)
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    const copy = popup.document.createElement('link')
    Object.assign(copy, { rel: 'stylesheet', href: sheet.href })
    popup.document.head.append(copy)
  }
  popup.document.title = document.title
  floating.value = popup
  popup.addEventListener('pagehide', () => (floating.value = undefined))
  return popup
}

/** The video for a window that shows only one element: the large one, else that of a tile. */
export const floatingVideo = (): HTMLVideoElement | null =>
  document.querySelector('.voice .screen video') ?? document.querySelector('.voice .participant video')

/** Listens in the page, and in the floating window while there is one. @returns a function that stops this */
export const listenInWindows = (listen: (to: Window) => () => void): (() => void) =>
  effect(() => {
    const stops = [window, floating.value].map((each) => each && listen(each))
    return () => stops.forEach((stop) => stop?.())
  })
