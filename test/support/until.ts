/** Waits until the condition holds; a bounded poll, for what is told by no event, whatever clock a test has set. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time')
    await Bun.sleep(5)
  }
}
