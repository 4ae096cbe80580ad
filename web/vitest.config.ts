import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Tests in a browser: four files at a time, each with a floor of its own: much of a test is waiting. What is measured runs after
// them, alone.
const inBrowser = (name: string, maxWorkers: number, groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers,
    // Of the tests of a file that do not depend on each other, so many run at once: much of a test is waiting.
    maxConcurrency: 4,
    sequence: { groupOrder },
  },
});

export default defineConfig({
  plugins: [svelte()],
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/unit/**/*.test.ts"] } },
      inBrowser("e2e", 4, 1),
      inBrowser("measured", 1, 2),
      inBrowser("screens", 1, 3),
    ],
  },
});
