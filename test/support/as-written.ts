/**
 * A pattern for a text with exactly these capitals. Otherwise other words on the page can stand for it: the buttons
 * “Save” and “Delete” for “Saved”, or an author’s name, a random animal like “Heron#5666”, for the word in a message.
 */
export const asWritten = (text: string | RegExp): RegExp =>
  text instanceof RegExp ? text : new RegExp(RegExp.escape(text).replace(/(?:\\x20| )+/g, '\\s+'))
