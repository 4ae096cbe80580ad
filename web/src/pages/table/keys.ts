// Keys for the whole table. They count where no control, field or dialog uses them.

/** The key pressed, a space as Enter and letters in capitals; `undefined` where something else uses it. */
export function tableKey(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (document.querySelector("dialog[open]") !== null) return undefined;
  const pressed = event.key === " " ? "Enter" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const within = event.target instanceof Element ? event.target.closest("button, a, input, select, textarea") : null;
  if (within?.matches("input, select, textarea") || (within !== null && pressed === "Enter")) return undefined;
  return pressed;
}
