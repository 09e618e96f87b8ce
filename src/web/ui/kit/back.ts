type Watcher = new () => EventTarget & { destroy: () => void }

/**
 * Runs when a phone's Back, or Escape, asks to close what is open, in browsers that report it.
 * @returns a function that stops this
 */
export function onBack(close: () => void): () => void {
  const { CloseWatcher } = globalThis as { CloseWatcher?: Watcher }
  if (!CloseWatcher) return () => {}
  const watcher = new CloseWatcher()
  watcher.addEventListener('close', close)
  return () => watcher.destroy()
}
