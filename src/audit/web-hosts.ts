/** How much an address says about what is behind it. */
type HostStatus = "known-installer" | "ordinary" | "nobody";

/**
 * `known-installer`: a project's own documented installer over https. `nobody`: no encryption, a bare number, a paste or
 * file-drop site or a shortener, where it is unknown who answers.
 */
export function hostStatus(address: string): HostStatus {
  const url = /^(?:(https?):\/\/)?([^\s/:?#"'`)]{1,255})([^\s?#"'`)]{0,300})/i.exec(address);
  const host = url?.[2]?.toLowerCase() ?? "";
  if (isLocal(host)) return "ordinary";
  if (
    url?.[1]?.toLowerCase() === "http" ||
    /^\d{1,3}(?:\.\d{1,3}){3}$|^\[|^0x[0-9a-f]+$|^\d{8,10}$/.test(host)
  )
    return "nobody";
  if (endsWithOne(host, dropSites) || endsWithOne(host, shorteners)) return "nobody";
  const hostAndPath = `${host}${url?.[3]?.toLowerCase() ?? ""}`;
  return knownInstallers.some((known) => hostAndPath === known || hostAndPath.startsWith(`${known}/`))
    ? "known-installer"
    : "ordinary";
}

/** This machine, and the names that documentation uses for no machine. */
export function isLocal(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|\[::1\]|host\.docker\.internal|.{1,200}\.(?:local|localhost|test|internal))$/i.test(
    host,
  );
}

function endsWithOne(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

/** Where anybody can upload anything anonymously: pastes, file drops, tunnels. */
export const dropSites = [
  "pastebin.com",
  "rentry.co",
  "rentry.org",
  "glot.io",
  "paste.ee",
  "hastebin.com",
  "ghostbin.com",
  "dpaste.com",
  "dpaste.org",
  "controlc.com",
  "0x0.st",
  "transfer.sh",
  "file.io",
  "anonfiles.com",
  "gofile.io",
  "mega.nz",
  "mediafire.com",
  "ix.io",
  "sprunge.us",
  "termbin.com",
  "paste.rs",
  "justpaste.it",
  "privatebin.net",
  "bashupload.com",
  "temp.sh",
  "catbox.moe",
  "cdn.discordapp.com",
  "ngrok.io",
  "ngrok-free.app",
  "ngrok.app",
  "trycloudflare.com",
  "loca.lt",
  "serveo.net",
  "pixeldrain.com",
  "wetransfer.com",
  "sendspace.com",
  "webhook.site",
  "paste.c-net.org",
  "oshi.at",
  "uguu.se",
];

const shorteners = [
  "bit.ly",
  "tinyurl.com",
  "t.co",
  "goo.gl",
  "is.gd",
  "v.gd",
  "cutt.ly",
  "rb.gy",
  "shorturl.at",
  "t.ly",
  "ow.ly",
  "buff.ly",
  "tiny.cc",
  "rebrand.ly",
  "git.io",
  "s.id",
  "qrco.de",
];

const github = "raw.githubusercontent.com";
const knownInstallers = [
  "sh.rustup.rs",
  "static.rust-lang.org",
  "astral.sh",
  "bun.sh",
  "bun.com",
  "deno.land",
  "deno.com",
  "get.docker.com",
  "test.docker.com",
  "brew.sh",
  "install.python-poetry.org",
  "pyenv.run",
  "pixi.sh",
  "micro.mamba.pm",
  "repo.anaconda.com",
  "get.pnpm.io",
  "fnm.vercel.app",
  "get.volta.sh",
  "deb.nodesource.com",
  "rpm.nodesource.com",
  "get.sdkman.io",
  "get.rvm.io",
  "mise.run",
  "mise.jdx.dev",
  "starship.rs",
  "fly.io",
  "get.helm.sh",
  "get.k3s.io",
  "tailscale.com",
  "pkgs.tailscale.com",
  "install.determinate.systems",
  "nixos.org",
  "get-ghcup.haskell.org",
  "get.haskellstack.org",
  "claude.ai/install.sh",
  "claude.ai/install.ps1",
  "ollama.com",
  "ollama.ai",
  "cursor.com",
  "opencode.ai",
  "foundry.paradigm.xyz",
  "sdk.cloud.google.com",
  "awscli.amazonaws.com",
  "aka.ms",
  "dot.net",
  "cli.github.com",
  "rclone.org",
  "railway.app",
  "railway.com",
  "cli.doppler.com",
  "get.pulumi.com",
  "dl.google.com",
  "install.duckdb.org",
  "temporal.download",
  "packages.microsoft.com",
  "chocolatey.org",
  "community.chocolatey.org",
  "get.scoop.sh",
  "scoop.sh",
  "win.rustup.rs",
  "sh.clickhouse.com",
  "clickhouse.com",
  "release.solana.com",
  "release.anza.xyz",
  "fluxcd.io",
  "linkerd.io",
  "run.linkerd.io",
  "get.arkade.dev",
  "direnv.net",
  "bootstrap.pypa.io",
  "get.modular.com",
  "packagecloud.io",
  "getcomposer.org",
  "cli.moonrepo.dev",
  "moonrepo.dev",
  `${github}/nvm-sh/nvm`,
  `${github}/homebrew/install`,
  `${github}/ohmyzsh/ohmyzsh`,
  `${github}/helm/helm`,
  `${github}/aquasecurity/trivy`,
  `${github}/anchore`,
  `${github}/golangci/golangci-lint`,
  `${github}/junegunn/fzf`,
  `${github}/argoproj`,
  `${github}/k3d-io/k3d`,
  `${github}/kubernetes-sigs/kustomize`,
  `${github}/terraform-linters/tflint`,
  `${github}/pypa`,
  `${github}/rancher`,
  `${github}/tj/n`,
  `${github}/creationix/nvm`,
  `${github}/nektos/act`,
  `${github}/astral-sh`,
  `${github}/warrensbox/terraform-switcher`,
  `${github}/infracost/infracost`,
  `${github}/carvel-dev`,
];
