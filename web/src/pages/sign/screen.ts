// What a sign asks of its screen: to stay on, and to be filled.

/** Keeps the screen on while the sign is looked at; the browser lets go whenever the page is hidden. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  const hold = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch {
      // A screen that may not be kept on is the operator's to set; the sign goes on without.
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
    // A browser that may not fill the screen shows the sign in its window.
  }
}
