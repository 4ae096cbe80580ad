// The page after signing in.
import type { Schemas } from "../../lib/api";
import { holds } from "../../lib/offices";

/** The requested page, where it belongs to this floor; else the page of the office. */
export function destination(who: Schemas["Holder"], asked: string | null): string {
  if (asked !== null && isOurs(asked)) return asked;
  if (holds(who, "pit-supervisor")) return "/pit";
  if (holds(who, "dealer")) return "/dealer";
  return "/";
}

/** Whether it is a path of this floor, and not the sign-in page again. */
export function isOurs(address: string): boolean {
  if (!/^\/(?![/\\])/.test(address)) return false;
  const there = new URL(address, "http://floor.invalid");
  return there.host === "floor.invalid" && there.pathname.replace(/\.html$/, "") !== "/signin";
}

/** What is wrong with a new password; `undefined` where nothing is. */
export function passwordFault(first: string, second: string): string | undefined {
  if ([...first].length < 12) return "A password has twelve characters or more.";
  if (256 < new TextEncoder().encode(first).length) return "This password is too long; 256 characters are enough.";
  if (second !== "" && first !== second) return "The two are not the same.";
  return undefined;
}
