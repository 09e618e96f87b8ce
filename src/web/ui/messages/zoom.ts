/** Position of a picture in its frame: offset from the centre, px, and scale. */
export interface View {
  x: number
  y: number
  scale: number
}

export const WHOLE: View = { x: 0, y: 0, scale: 1 }
const SCALE_MAX = 8

const within = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value))

/** Keeps the picture in its frame: without enlargement it does not move. */
function keepInFrame({ x, y, scale }: View, width: number, height: number): View {
  return { x: within(x, ((scale - 1) * width) / 2), y: within(y, ((scale - 1) * height) / 2), scale }
}

/** The view moved by dx and dy, px. */
export const panView = (view: View, dx: number, dy: number, frame: DOMRect): View =>
  keepInFrame({ ...view, x: view.x + dx, y: view.y + dy }, frame.width, frame.height)

/** The view enlarged by a factor; the point of the window stays where it is. */
export function zoomView(view: View, factor: number, at: { x: number; y: number }, frame: DOMRect): View {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * factor))
  const [x, y] = [at.x - frame.left - frame.width / 2, at.y - frame.top - frame.height / 2]
  const ratio = scale / view.scale
  return keepInFrame({ x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, scale }, frame.width, frame.height)
}
