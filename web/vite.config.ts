import { readdirSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One HTML file a console; no router.
const pages = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".html"));

// While developing, the API comes from a running server, which must believe that the page is its own.
const server = process.env.MEGALINK_API ?? "http://localhost:7777";

export default defineConfig({
  plugins: [
    svelte(),
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
