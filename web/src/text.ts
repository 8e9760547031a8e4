// Names come from anywhere: markup, control characters, a megabyte of them.  They go into the page
// as text only (textContent, canvas), printable and cut to a length that can be read.

const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]/gu;

/** Control characters, and those that turn or hide text, as \uNNNN; cut after `most` characters. */
export function printable(text: string, most = 80): string {
  const cut = text.length > most;
  const shown = (cut ? text.slice(0, most - 1) : text).replace(
    UNPRINTABLE,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return cut ? shown + "…" : shown;
}

const LOWEST_POINTER = 2n ** 44n;
const HIGHEST_POINTER = 2n ** 48n;

/** A value as text: what lies where programs have their memory is an address, in hexadecimal. */
export function shownValue(value: number | string): string {
  const text = String(value);
  if (!/^\d{14,15}$/.test(text)) return text;
  const whole = BigInt(text);
  return whole >= LOWEST_POINTER && whole < HIGHEST_POINTER ? `0x${whole.toString(16)}` : text;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

export function count(value: number, one: string, many: string): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** An element with attributes and children; strings become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Places such as "file.c:10, file.c:12" in a narrow cell: the name is cut, the lines are not. */
export function placeCell(places: string): Node {
  const each = places.split(", ").map((place) => /^(.*):(\d+)$/.exec(place));
  const [first] = each;
  if (!first || !each.every((found) => found?.[1] === first[1])) return document.createTextNode(printable(places, 60));
  const lines = printable(each.map((found) => found![2]).join(", "), 24);
  return element("span", { class: "place" }, element("span", {}, printable(first[1]!, 60)), `:${lines}`);
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as T;
}
