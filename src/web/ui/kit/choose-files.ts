/** Opens the file chooser. @param take gets the chosen files; not called if the person cancels */
export function chooseFiles(attributes: { accept?: string; multiple?: boolean }, take: (files: File[]) => void): void {
  const input = Object.assign(document.createElement('input'), { type: 'file', hidden: true, ...attributes })
  input.addEventListener('change', () => {
    input.remove()
    take([...(input.files ?? [])])
  })
  input.addEventListener('cancel', () => input.remove())
  // Safari may collect an input outside of the page before the person has chosen.
  document.body.append(input)
  input.click()
}
