const HEIGHT = 32
const STEP = 3
/** Also silence is seen. */
const LEAST = 2

/** Levels of a sound, one bar each. @param levels from 0 to 1 */
export const Waveform = ({ levels }: { levels: number[] }) => {
  const bars = levels.map((level, at) => {
    const height = Math.max(LEAST, level * (HEIGHT - LEAST))
    return `M${at * STEP + 1.5} ${(HEIGHT - height) / 2}v${height}`
  })
  return (
    <svg
      class="waveform"
      viewBox={`0 0 ${Math.max(1, levels.length) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={bars.join('')} />
    </svg>
  )
}
