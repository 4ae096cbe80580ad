import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

// One HTML file a console; no router.
const pages = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".html"));

// While developing, the API comes from a running server, which must believe that the page is its own.
const server = process.env.MEGALINK_API ?? "http://localhost:7777";

const TYPEFACE = "@fontsource-variable/instrument-sans";

/** The typeface is asked for together with the styles that name it, and its licence goes with it. */
const typeface: Plugin = {
  name: "typeface",
  apply: "build",
  generateBundle() {
    const licence = createRequire(import.meta.url).resolve(`${TYPEFACE}/LICENSE`);
    this.emitFile({ type: "asset", fileName: "licences/instrument-sans.txt", source: readFileSync(licence) });
  },
  transformIndexHtml(_html, { bundle }) {
    const file = Object.keys(bundle ?? {}).find((name) => /instrument-sans-latin-wght-normal.*\.woff2$/.test(name));
    if (file === undefined) throw new Error("the build has no typeface to preload");
    const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" };
    return [{ tag: "link", attrs, injectTo: "head" }];
  },
};

export default defineConfig({
  plugins: [
    svelte(),
    typeface,
    {
      // The server reaches a console's page without the ending; so does the development server.
      name: "pages-without-ending",
      configureServer(development) {
        development.middlewares.use((request, _response, next) => {
          const [path = "", query] = (request.url ?? "").split("?");
          if (pages.includes(`${path.slice(1)}.html`)) {
            request.url = `${path}.html${query === undefined ? "" : `?${query}`}`;
          }
          next();
        });
      },
    },
  ],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: pages },
  },
  server: {
    proxy: {
      "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      "/version": { target: server },
    },
  },
});
