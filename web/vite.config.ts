import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    // New enough for light-dark(), which would otherwise be written out twice.
    cssTarget: ["chrome125", "firefox128", "safari17.5"],
    write: false,
    modulePreload: false,
  },
});
