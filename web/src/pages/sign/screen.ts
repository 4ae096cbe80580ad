// The sign's screen: keep it on, and fill it.

/** Keeps the screen on. The browser releases the lock whenever the page is hidden. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  const hold = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch {
      // Where the browser does not allow it, the operator sets the screen; the sign works without.
    }
  };
  hold();
  document.addEventListener("visibilitychange", hold);
  return () => {
    document.removeEventListener("visibilitychange", hold);
    lock?.release();
  };
}

export async function toggleFullScreen(): Promise<void> {
  try {
    if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
    else await document.exitFullscreen();
  } catch {
    // Where the browser does not allow full screen, the sign stays in its window.
  }
}
