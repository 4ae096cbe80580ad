// Keys for the whole table: they count where no control, field or dialog has them.

/** The key pressed, a space as Enter and letters in capitals; nothing where it belongs to something else. */
export function tableKey(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (document.querySelector("dialog[open]") !== null) return undefined;
  const pressed = event.key === " " ? "Enter" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const within = event.target instanceof Element ? event.target.closest("button, a, input, select, textarea") : null;
  if (within?.matches("input, select, textarea") || (within !== null && pressed === "Enter")) return undefined;
  return pressed;
}
