// One spacing and type scale: styles take the steps of tokens.css, so that pages agree and grow on a wall.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const SOURCE = resolve(import.meta.dirname, "../../src");
/** Drawn by their own measure: cards, chips, the printed felt, the sign, which is as large as its wall. */
const DRAWN = /components\/(Card|Court|Chip|ChipStack)\.svelte$|pages\/(sign\/|signin\/Emblem|table\/Felt)/;
/** A page may set the size of the root, which everything else follows, for a wall. */
const ROOT = /:global\((?:html)?:root(?::has\([^)]*\))?\) \{[^}]*\}/g;
/** Lines and small corrections, in pixels. */
const HAIRLINE_MAX = 3;

/** Where something lies that is not seen. */
const ASIDE = 999;
const SIZES =
  /^((min-|max-)?(width|height)|grid-template(-columns|-rows)?|flex|flex-basis|columns|inset|top|right|bottom|left)$/;

interface Declaration {
  property: string;
  value: string;
}

const declarations = (css: string): Declaration[] =>
  [
    ...css
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(ROOT, "")
      .matchAll(/(?<=[{;\s])([a-z-]+):\s*([^;{}]+)(?=[;}])/g),
  ].map(([, property = "", value = ""]) => ({ property, value: value.trim() }));

const pixels = (value: string): number[] =>
  [...value.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)px/g)].map(([, size]) => Number(size));

/** What measures itself by its window, its container or the unit of the felt. */
const isFluid = (value: string): boolean => /\d[dls]?(cq|v)[a-z]+|var\(--(u|area|chip|drop)\b|env\(/.test(value);

/** Whether a declaration leaves the scale. */
function strays({ property, value }: Declaration): boolean {
  if (isFluid(value)) return false;
  if (property === "font-weight") return !/^(400|600|700|inherit)$/.test(value);
  if (property === "font-size") return !/^(var\(--step-[\w-]+\)|[\d.]+em|inherit|0)$/.test(value);
  if (/^(padding|margin|gap|row-gap|column-gap)/.test(property)) {
    // Cards that lie over each other and marks on a line are drawn, not spaced.
    const isDrawn = property === "margin-left" && /^-[\d.]+px$/.test(value);
    return !isDrawn && !property.startsWith("scroll") && pixels(value).some((size) => HAIRLINE_MAX < size);
  }
  if (property === "border-radius") return !value.includes("/") && pixels(value).some((size) => 1 < size);
  // What is as large as the type beside it grows with it.
  return SIZES.test(property) && pixels(value).some((size) => HAIRLINE_MAX < size && size !== ASIDE);
}

test("a stray size is found", () => {
  const css =
    ".a { padding: 14px; font-size: 22px; width: 46px } .b { min-height: 44px; font-weight: 650; border-radius: 9px; grid-template-columns: 26px 1fr }";
  expect(declarations(css).filter(strays)).toHaveLength(7);
  const scaled =
    ".a { padding: 1px var(--space-3); font-size: var(--step--1); min-height: var(--touch); border: 4px solid }";
  expect(declarations(scaled).filter(strays)).toEqual([]);
});

test("every page takes its sizes from one scale", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".svelte") && !DRAWN.test(file),
  );
  const found = files.flatMap((file) => {
    const [, css = ""] = /<style[^>]*>([\s\S]*?)<\/style>/.exec(readFileSync(join(SOURCE, file), "utf8")) ?? [];
    return declarations(css)
      .filter(strays)
      .map(({ property, value }) => `${file}: ${property}: ${value}`);
  });
  expect(found).toEqual([]);
});
