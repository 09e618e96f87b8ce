/**
 * A pattern for a text with exactly these capitals. Otherwise the words of two neighbours can stand for another one:
 * “Saved” for the buttons “Save” and “Delete”.
 */
export const asWritten = (text: string | RegExp): RegExp =>
  text instanceof RegExp ? text : new RegExp(RegExp.escape(text).replace(/(?:\\x20| )+/g, '\\s+'))
