import nodes from 'lucide-static/icon-nodes.json'

type Shape = [tag: string, attributes: Record<string, string>]

const dot = (cx: number, cy: number, rx: number, ry: number): string =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`

const box = (x: number, y: number, width: number, height: number, r: number): string => {
  const corner = (dx: number, dy: number) => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${dx} ${dy}`)
  const [across, down] = [width - 2 * r, height - 2 * r]
  const [top, right] = [`h${across}${corner(r, r)}`, `v${down}${corner(-r, r)}`]
  return `M${x + r} ${y}${top}${right}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`
}

/** Makes a path's start absolute, because a lower-case m after another path is relative. */
const absolute = (path: string): string =>
  path.replace(
    /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?=(.?))/,
    (_, x, y, next) => `M${x} ${y}${/[\d.-]/.test(next) ? 'l' : ''}`,
  )

/** One shape of an icon as a path. @throws Error for a shape that no icon here has */
function pathOf([tag, attributes]: Shape): string {
  const at = (name: string) => Number(attributes[name] ?? 0)
  if (tag === 'path') return absolute(attributes['d'] ?? '')
  if (tag === 'circle') return dot(at('cx'), at('cy'), at('r'), at('r'))
  if (tag === 'ellipse') return dot(at('cx'), at('cy'), at('rx'), at('ry'))
  if (tag === 'line') return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
  if (tag === 'rect') return box(at('x'), at('y'), at('width'), at('height'), at('rx'))
  if (tag === 'polyline') return `M${attributes['points']}`
  throw new Error(`an icon has a ${tag}, which is not drawn`)
}

/**
 * The paths of Lucide's icons. The build runs this; the client gets only its result.
 * @param names Lucide's names by ours
 * @throws Error when Lucide has no such icon
 */
export function lucidePaths<const Names extends Record<string, string>>(names: Names): Record<keyof Names, string> {
  const shapesByName = nodes as unknown as Record<string, Shape[]>
  const paths = Object.entries(names).map(([key, name]) => {
    const shapes = shapesByName[name]
    if (!shapes) throw new Error(`Lucide has no icon ${name}`)
    return [key, shapes.map(pathOf).join('')] as const
  })
  return Object.fromEntries(paths) as Record<keyof Names, string>
}
