/** Runs `work` in a separate task after the next frame is painted. @returns cancels it */
export function afterFrame(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // A click is often handled within a frame, and work requested for that frame would belong to the same task.
  const frame = requestAnimationFrame(() => (timer = setTimeout(work)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
