#!/usr/bin/env node
import module from "node:module";

// Node 22 and newer keep compiled code between starts.
module.enableCompileCache?.();
await import("../dist/cli.js");
