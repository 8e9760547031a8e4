// Light, dark, or as the system says; and the colours as the canvas needs them.

export type Theme = "auto" | "light" | "dark";
const KEY = "heddle-theme";

export interface Colours {
  [name: string]: string;
}

const NAMES = [
  "text", "soft", "faint", "line", "back", "panel", "accent", "bad", "path",
  "read", "write", "lock", "thread", "sync", "mark", "hit", "lane",
];

/** Hues of locks: neighbours differ, for eyes that see few colours too. */
const HUES = [265, 190, 35, 320, 140, 210, 15, 90];

export function lockColour(lock: number, alpha: number): string {
  return `hsl(${HUES[lock % HUES.length]} 65% 55% / ${alpha})`;
}

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export function loadTheme(): Theme {
  try {
    const saved = localStorage.getItem(KEY);
    if (saved === "light" || saved === "dark") return saved;
  } catch {
    // a page from a file may have no storage
  }
  return "auto";
}

export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // see above
  }
}
