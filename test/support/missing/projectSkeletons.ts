/** Small projects as people write them in usual frameworks, each with the pictures and videos that it names, and with names that are no such reference. */

export interface Skeleton {
  readonly name: string;
  /** Documents, and files that are only listed, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Pictures and videos that are named. Each is there until a test takes it out. */
  readonly assets: readonly string[];
  /** Paths that git ignores. */
  readonly ignored?: readonly string[];
}

const pkg = (...packages: readonly string[]): string =>
  JSON.stringify({ name: "site", dependencies: Object.fromEntries(packages.map((name) => [name, "^5.0.0"])) });

const manifest = (...icons: readonly (readonly [src: string, sizes: string, purpose?: string])[]): string =>
  JSON.stringify(
    {
      name: "Tide Clock",
      description: "Shows the tides of your harbour",
      icons: icons.map(([src, sizes, purpose]) => ({ src, sizes, type: "image/png", ...(purpose ? { purpose } : {}) })),
    },
    undefined,
    2,
  );

export const skeletons: readonly Skeleton[] = [
  {
    name: "plain site",
    files: {
      "index.html": `<!doctype html><html><head><title>Tides</title>
<link rel="icon" href="favicon.ico"><link rel="apple-touch-icon" sizes="180x180" href="/apple-touch-icon.png">
<link rel="manifest" href="site.webmanifest"><meta property="og:image" content="https://tides.test/og.png">
<link rel="stylesheet" href="css/main.css"></head><body><h1>Tides</h1>
<img src="img/harbour.jpg" width="1280" height="720" alt="A harbour at low tide">
<img srcset="img/boat-480.webp 480w, img/boat-960.webp 960w" src="img/boat.webp" alt="A boat">
<!-- <img src="img/old.png"> --><a href="#top">Up</a><img src="data:image/png;base64,AAAA"><img src="https://x.test/far.png">
<video src="media/waves.mp4" poster="media/waves.jpg"></video></body></html>`,
      "css/main.css": `/* url(../img/unused.png) */ body { background: url("../img/sand.png") } .x { background: url(data:image/png;base64,AA) }`,
      "site.webmanifest": manifest(
        ["icons/192.png", "192x192"],
        ["icons/512.png", "512x512"],
        ["icons/mask.png", "512x512", "maskable"],
      ),
    },
    assets: [
      "favicon.ico",
      "apple-touch-icon.png",
      "img/harbour.jpg",
      "img/boat-480.webp",
      "img/boat-960.webp",
      "img/boat.webp",
      "media/waves.mp4",
      "media/waves.jpg",
      "img/sand.png",
      "icons/192.png",
      "icons/512.png",
      "icons/mask.png",
    ],
  },
  {
    name: "site in a folder",
    files: {
      "site/index.html": `<link rel="icon" href="/favicon.png"><img src="/images/hero.png"><img src="images/side.png">`,
      "site/about/index.html": `<img src="../images/team.jpg"><img src="/images/hero.png">`,
      "README.md":
        '# Site\n\n![Screenshot](docs/screenshot.png)\n\n```html\n<img src="not-there.png">\n```\n\nWrite `![x](y.png)`.',
    },
    assets: [
      "site/favicon.png",
      "site/images/hero.png",
      "site/images/side.png",
      "site/images/team.jpg",
      "docs/screenshot.png",
    ],
  },
  {
    name: "Vite with React",
    files: {
      "package.json": pkg("vite", "react"),
      "index.html": `<link rel="icon" type="image/png" href="/icon.png"><meta name="twitter:image" content="/card.png"><div id="root"></div>`,
      "src/App.tsx": `import hero from './assets/hero.png'
import photo from "@/assets/photo.webp?w=400";
import logo from "@scope/kit/logo.png";
// import gone from './gone.png'
const name = "x.png"; const src = \`/img/\${name}.png\`;
export const App = () => <><p>Don't panic</p><img src={hero} alt="Hero"/><img src="/badge.png" width={64} height={64} alt="Badge" />
  <img src={\`/img/\${name}\`} /><img src={photo} srcSet="/wide.png 1x, /wide@2x.png 2x"/><video poster="/poster.jpg"/></>;`,
      "src/index.css": `.hero { width: 640px; background-image: url(/texture.png) } .b { background: url('./assets/noise.png') }`,
      "dist/index.html": `<img src="/gone.png">`,
      "src/App.test.tsx": `render(<img src="/nothing.png"/>)`,
    },
    assets: [
      "public/icon.png",
      "public/card.png",
      "src/assets/hero.png",
      "src/assets/photo.webp",
      "public/badge.png",
      "public/wide.png",
      "public/wide@2x.png",
      "public/poster.jpg",
      "public/texture.png",
      "src/assets/noise.png",
    ],
  },
  {
    name: "Next, app router",
    files: {
      "package.json": pkg("next", "react"),
      "app/layout.tsx": `export const metadata = { title: "Tides", openGraph: { images: ["/og.png"] }, icons: { icon: "/icons/32.png", apple: "/icons/apple.png" } };`,
      "app/icon.png": "",
      "app/opengraph-image.tsx": "export default () => null",
      "app/page.tsx": `import Image from "next/image"; import hero from "../public/hero.jpg";
export default () => <><Image src={hero} alt="x"/><Image src="/shot.png" width={1200} height={800} alt="A shot"/><Image src={"/face.webp"} alt=""/>
<div className="bg-[url('/dots.png')]"/><img src="/icon.png"/><img src="/api/og.png"/><Image src={post.image} alt=""/></>;`,
      "app/globals.css": `body { background: url('/paper.png'); }`,
      "app/manifest.json": manifest(["/icons/192.png", "192x192"]),
    },
    assets: [
      "public/og.png",
      "public/icons/32.png",
      "public/icons/apple.png",
      "public/hero.jpg",
      "public/shot.png",
      "public/face.webp",
      "public/dots.png",
      "public/paper.png",
      "public/icons/192.png",
    ],
  },
  {
    name: "Next, src and pages",
    files: {
      "package.json": pkg("next"),
      "src/pages/_document.tsx": `export default () => <Head><link rel="icon" href="/favicon.ico" /><meta property="og:image" content="/social.jpg" /></Head>`,
      "src/pages/index.tsx": `import s from "../styles/a.module.css"; import cat from "@/images/cat.png";
export default () => <img src={cat.src}/>;`,
      "src/styles/a.module.css": `.a { background: url(../images/grain.webp) }`,
    },
    assets: ["public/favicon.ico", "public/social.jpg", "src/images/cat.png", "src/images/grain.webp"],
  },
  {
    name: "Astro",
    files: {
      "package.json": pkg("astro"),
      "src/pages/index.astro": `---
import { Image } from "astro:assets";
import hero from "../assets/hero.jpg";
const title = "Tides";
---
<html><head><meta property="og:image" content="/og.jpg" /><link rel="icon" href="/fav.png" /></head>
<body><Image src={hero} alt="Hero" /><img src="/shore.webp" width="800" height="600" alt="Shore" /><img src={\`/\${title}.png\`} /><img src="/chart.png" /></body></html>`,
      "src/pages/chart.png.ts": "export const GET = () => null",
      "src/content/blog/first.md": `---\ntitle: First tide\nheroImage: ./first.png\n---\n\n![Low tide](./low.png)\n\n![Far](https://x.test/far.png)`,
    },
    assets: [
      "src/assets/hero.jpg",
      "public/og.jpg",
      "public/fav.png",
      "public/shore.webp",
      "src/content/blog/first.png",
      "src/content/blog/low.png",
    ],
  },
  {
    name: "SvelteKit",
    files: {
      "package.json": pkg("@sveltejs/kit"),
      "src/app.html": `<link rel="icon" href="%sveltekit.assets%/favicon.png" />`,
      "src/routes/+page.svelte": `<script lang="ts">
  import pier from '$lib/images/pier.png';
  const src = "x";
</script>
<img src={pier} alt="Pier"><img src="/gulls.jpg" alt="Gulls"><img src="{src}/x.png">{#if a < b}<img src='/sun.webp'>{/if}
<style>.hero { background: url('/hero.avif'); }</style>`,
      "src/routes/map.png/+server.ts": "",
      "src/routes/+layout.svelte": `<img src="/map.png" alt="">`,
    },
    assets: [
      "static/favicon.png",
      "src/lib/images/pier.png",
      "static/gulls.jpg",
      "static/sun.webp",
      "static/hero.avif",
    ],
  },
  {
    name: "Nuxt 3",
    files: {
      "package.json": pkg("nuxt"),
      "nuxt.config.ts": `export default { app: { head: { link: [{ rel: "icon", href: "/favicon.png" }], meta: [{ property: "og:image", content: "/og.png" }] } } }`,
      "pages/index.vue": `<template><NuxtImg src="/harbour.jpg" width="900" alt="Harbour" /><img src="~/assets/boat.png" /><img :src="item.image" /><img :src="'/net.png'" /></template>
<style scoped>.a { background: url("@/assets/rope.png") }</style>`,
    },
    assets: [
      "public/favicon.png",
      "public/og.png",
      "public/harbour.jpg",
      "assets/boat.png",
      "public/net.png",
      "assets/rope.png",
    ],
  },
  {
    name: "Nuxt 2",
    files: {
      "package.json": JSON.stringify({ dependencies: { nuxt: "^2.17.0" } }),
      "layouts/default.vue": `<template><img src="~assets/x" /><img src="/logo.png"><img :src="require('~/assets/crab.png')"></template>`,
    },
    assets: ["static/logo.png", "assets/crab.png"],
  },
  {
    name: "Vue CLI",
    files: {
      "package.json": pkg("@vue/cli-service", "vue"),
      "public/index.html": `<link rel="icon" href="<%= BASE_URL %>favicon.ico">`,
      "src/App.vue": `<template><img alt="Vue logo" src="./assets/logo.png"><img :src="require('@/assets/shell.jpg')"><img :src="\`/img/\${id}.png\`"></template>
<script>export default { data: () => ({ banner: require("./assets/banner.png") }) }</script>
<style lang="scss">.x { background: url("~@/assets/tile.png"); // url(nothing.png)
}</style>`,
    },
    assets: ["src/assets/logo.png", "src/assets/shell.jpg", "src/assets/banner.png", "src/assets/tile.png"],
  },
  {
    name: "Create React App",
    files: {
      "package.json": pkg("react-scripts"),
      "public/index.html": `<link rel="icon" href="%PUBLIC_URL%/favicon.ico" /><link rel="apple-touch-icon" href="%PUBLIC_URL%/logo192.png" />`,
      "public/manifest.json": manifest(
        ["favicon.ico", "64x64 32x32"],
        ["logo192.png", "192x192"],
        ["logo512.png", "512x512"],
      ),
      "src/App.js": `import wave from './wave.png';\nexport default () => <img src={wave} className="App-logo" alt="wave" />;`,
      "src/App.css": `.App { background: url(bubbles.png) }`,
    },
    assets: ["public/favicon.ico", "public/logo192.png", "public/logo512.png", "src/wave.png", "src/bubbles.png"],
  },
  {
    name: "Angular 15",
    files: {
      "package.json": pkg("@angular/core"),
      "angular.json": "{}",
      "src/index.html": `<link rel="icon" type="image/x-icon" href="favicon.ico">`,
      "src/app/app.component.html": `<img src="assets/hero.png" alt="Hero"><img [src]="user.photo"><img src="assets/{{ name }}.png"><img [src]="'assets/side.jpg'">`,
      "src/styles.scss": `.x { background: url("assets/bg.webp"); } .y { background: url("#{$base}/x.png") }`,
    },
    assets: ["src/favicon.ico", "src/assets/hero.png", "src/assets/side.jpg", "src/assets/bg.webp"],
  },
  {
    name: "Angular with public",
    files: {
      "package.json": pkg("@angular/core"),
      "angular.json": "{}",
      "public/keep.txt": "",
      "src/app/app.html": `<img src="/lighthouse.png" width="400" height="300"><img ngSrc="x"><img src="buoy.png">`,
    },
    assets: ["public/lighthouse.png", "public/buoy.png"],
  },
  {
    name: "Hugo",
    files: {
      "hugo.toml": "title = 'Tides'",
      "layouts/_default/baseof.html": `<link rel="icon" href="/favicon.png"><img src="{{ .Params.image | relURL }}"><img src="{{ .Site.BaseURL }}x.png"><img src="/images/banner.jpg">`,
      "content/posts/spring/index.md": `---\ntitle: Spring tide\nimage: /images/spring.jpg\n---\n![Moon](moon.png)\n\n{{< figure src="/images/chart.png" alt="A chart of tides" >}}\n\n![Full]({{ .x }}.png)`,
      "public/index.html": `<img src="/gone.png">`,
    },
    assets: [
      "static/favicon.png",
      "static/images/banner.jpg",
      "static/images/spring.jpg",
      "content/posts/spring/moon.png",
      "static/images/chart.png",
    ],
  },
  {
    name: "Jekyll",
    files: {
      "_config.yml": "title: Tides",
      "_layouts/default.html": `<link rel="icon" href="/assets/favicon.png"><img src="{{ '/assets/x.png' | relative_url }}"><img src="{{ page.image }}"><img src="/assets/banner.jpg">`,
      "_posts/2026-01-01-first.md": `---\ntitle: First\nimage: /assets/first.png\n---\n![Shore](/assets/shore.jpg){width=640 height=480}\n\n{% include figure.html src="x.png" %}`,
      "_site/index.html": `<img src="/gone.png">`,
    },
    assets: ["assets/favicon.png", "assets/banner.jpg", "assets/first.png", "assets/shore.jpg"],
  },
  {
    name: "Docusaurus",
    files: {
      "package.json": pkg("@docusaurus/core"),
      "docusaurus.config.js": `module.exports = { favicon: 'img/favicon.ico', themeConfig: { image: 'img/social-card.jpg', navbar: { logo: { alt: 'Tides', src: 'img/logo.png' } } } };`,
      "docs/intro.md": `# Intro\n\n![Install](./img/install.png)\n\n![Card](/img/card.png)\n\n    ![indented](code.png)\n`,
      "docs/more.mdx": `import Shot from './img/shot.png';\n\n<img src={useBaseUrl('/img/more.png')} alt="More" />\n\n<img src={require('./img/req.png').default} />`,
      "src/pages/index.js": `import useBaseUrl from '@docusaurus/useBaseUrl';\nexport default () => <img src={useBaseUrl('img/front.png')} alt="Front"/>;\nconst a = require('@site/static/img/site.png').default;`,
    },
    assets: [
      "static/img/favicon.ico",
      "static/img/social-card.jpg",
      "static/img/logo.png",
      "docs/img/install.png",
      "static/img/card.png",
      "docs/img/shot.png",
      "static/img/more.png",
      "docs/img/req.png",
      "static/img/front.png",
      "static/img/site.png",
    ],
  },
  {
    name: "VitePress",
    files: {
      "package.json": pkg("vitepress"),
      "docs/.vitepress/config.ts": `export default { head: [["link", { rel: "icon", href: "/favicon.ico" }]], themeConfig: { logo: "/logo.png" } }`,
      "docs/index.md": `---\nhero:\n  name: Tides\n  image:\n    src: /hero.webp\n    alt: Tides\n---\n\n![Guide](./guide.png)`,
    },
    assets: ["docs/public/favicon.ico", "docs/public/logo.png", "docs/public/hero.webp", "docs/guide.png"],
  },
  {
    name: "MkDocs",
    files: {
      "mkdocs.yml": "site_name: Tides",
      "docs/index.md": `# Tides\n\n![Overview](images/overview.png)\n![Up](../docs/images/up.png)\n\n\`\`\`md\n![no](no.png)\n\`\`\``,
      "docs/guide/start.md": `![Start](../images/start.png "Start here")\n\n[![Badge](https://x.test/b.png)](https://x.test)\n\n[chart]: ../images/chart.png`,
    },
    assets: ["docs/images/overview.png", "docs/images/up.png", "docs/images/start.png", "docs/images/chart.png"],
  },
  {
    name: "Gatsby",
    files: {
      "package.json": pkg("gatsby"),
      "gatsby-config.js": `module.exports = { plugins: [{ resolve: "gatsby-plugin-manifest", options: { name: "T", icon: "src/images/icon.png" } }] };`,
      "src/pages/index.js": `import { StaticImage } from "gatsby-plugin-image";\nexport default () => <><StaticImage src="../images/pier.jpg" alt="Pier" /><img src="/plain.png" alt=""/></>;`,
    },
    assets: ["src/images/icon.png", "src/images/pier.jpg", "static/plain.png"],
  },
  {
    name: "Eleventy",
    files: {
      "package.json": pkg("@11ty/eleventy"),
      "eleventy.config.js": "",
      "src/index.njk": `<img src="/img/front.jpg" alt="Front"><img src="{{ image }}"><img src="{% asset %}x.png"><link rel="icon" href="/img/icon.png">`,
      "src/posts/a.md": "![A](/img/a.webp)",
      "src/img/keep.txt": "",
    },
    assets: ["src/img/front.jpg", "src/img/icon.png", "src/img/a.webp"],
  },
  {
    name: "Remix",
    files: {
      "package.json": pkg("@remix-run/dev", "vite"),
      "app/root.tsx": `export const links = () => [{ rel: "icon", href: "/favicon.png", type: "image/png" }];\nexport const meta = () => [{ property: "og:image", content: "/og.png" }];`,
      "app/routes/_index.tsx": `export default () => <picture><source srcSet="/wave.avif" /><img src="/wave.jpg" alt="Wave" /></picture>;`,
    },
    assets: ["public/favicon.png", "public/og.png", "public/wave.avif", "public/wave.jpg"],
  },
  {
    name: "Expo",
    files: {
      "package.json": pkg("expo", "react-native"),
      "app.json": JSON.stringify(
        {
          expo: {
            name: "Tides",
            icon: "./assets/icon.png",
            splash: { image: "./assets/splash.png" },
            android: { adaptiveIcon: { foregroundImage: "./assets/adaptive-icon.png" } },
            web: { favicon: "./assets/favicon.png" },
            plugins: [["expo-splash-screen", { image: "./assets/splash-icon.png" }]],
          },
        },
        undefined,
        2,
      ),
      "App.tsx": `const a = require('./assets/shell.png'); const b = require("./assets/scaled.png"); export default () => <Image source={{ uri: url }} />;`,
      "assets/scaled@2x.png": "",
    },
    assets: [
      "assets/icon.png",
      "assets/splash.png",
      "assets/adaptive-icon.png",
      "assets/favicon.png",
      "assets/splash-icon.png",
      "assets/shell.png",
    ],
  },
  {
    name: "Tauri",
    files: {
      "package.json": pkg("@tauri-apps/api", "vite"),
      "index.html": `<img src="/splash.png">`,
      "src-tauri/tauri.conf.json": JSON.stringify(
        {
          productName: "Tides",
          bundle: {
            icon: ["icons/32x32.png", "icons/128x128.png", "icons/128x128@2x.png", "icons/icon.icns", "icons/icon.ico"],
          },
        },
        undefined,
        2,
      ),
    },
    assets: [
      "public/splash.png",
      "src-tauri/icons/32x32.png",
      "src-tauri/icons/128x128.png",
      "src-tauri/icons/128x128@2x.png",
      "src-tauri/icons/icon.icns",
      "src-tauri/icons/icon.ico",
    ],
  },
  {
    name: "VS Code extension",
    files: {
      "package.json": JSON.stringify(
        {
          name: "tides",
          displayName: "Tides",
          icon: "media/icon.png",
          engines: { vscode: "^1.106.0" },
          contributes: { commands: [{ icon: "$(sync)" }] },
        },
        undefined,
        2,
      ),
      "README.md": `# Tides\n\n![Demo](media/demo.gif)\n<img src="media/shot.png" width="600" alt="Shot">\n\n![ci](https://x.test/ci.png)`,
    },
    assets: ["media/icon.png", "media/demo.gif", "media/shot.png"],
  },
  {
    name: "browser extension",
    files: {
      "manifest.json": JSON.stringify(
        {
          manifest_version: 3,
          name: "Tides",
          icons: { "16": "icons/16.png", "48": "icons/48.png", "128": "icons/128.png" },
          action: { default_icon: "icons/action.png" },
          content_scripts: [{ js: ["a.js"] }],
        },
        undefined,
        2,
      ),
      "popup.html": `<img src="img/popup.png"><script>const url = chrome.runtime.getURL("img/" + name + ".png");</script>`,
    },
    assets: ["icons/16.png", "icons/48.png", "icons/128.png", "icons/action.png", "img/popup.png"],
  },
  {
    name: "Electron",
    files: {
      "package.json": JSON.stringify({ name: "tides", main: "main.js", icon: "assets/app.png" }, undefined, 2),
      "main.js": `const win = new BrowserWindow({ icon: path.join(__dirname, "assets/icon.png") });\nconst tray = { trayIcon: "./assets/tray.png" };`,
      "renderer/index.html": `<img src="../assets/about.png" alt="About">`,
    },
    assets: ["assets/app.png", "assets/tray.png", "assets/about.png"],
  },
  {
    name: "Django",
    files: {
      "manage.py": "",
      "tides/templates/base.html": `{% load static %}<img src="{% static 'img/x.png' %}"><img src="{{ user.photo.url }}"><img src="/static/img/banner.jpg">`,
      "static/css/site.css": `body { background: url(../img/sea.png) }`,
    },
    assets: ["static/img/banner.jpg", "static/img/sea.png"],
  },
  {
    name: "Flask",
    files: {
      "app.py": "",
      "templates/index.html": `<img src="{{ url_for('static', filename='x.png') }}"><img src="/static/home.png" alt="Home">`,
      "static/style.css": `.a { background: url("/static/tile.jpg") }`,
    },
    assets: ["static/home.png", "static/tile.jpg"],
  },
  {
    name: "Rails",
    files: {
      Gemfile: "",
      "app/views/layouts/application.html.erb": `<%= image_tag "x.png" %><link rel="icon" href="/icon.png" type="image/png"><img src="<%= asset_path 'y.png' %>"><img src="/welcome.jpg">`,
      "public/404.html": `<img src="/lost.png">`,
    },
    assets: ["public/icon.png", "public/welcome.jpg", "public/lost.png"],
  },
  {
    name: "Laravel",
    files: {
      artisan: "",
      "package.json": pkg("vite", "laravel-vite-plugin"),
      "resources/views/welcome.blade.php": `<img src="{{ asset('img/x.png') }}"><img src="/img/welcome.png"><?php echo "a.png"; ?>`,
      "resources/css/app.css": `.a { background: url('../img/paper.png') }`,
    },
    assets: ["public/img/welcome.png", "resources/img/paper.png"],
  },
  {
    name: "Phoenix",
    files: {
      "mix.exs": "",
      "package.json": "{}",
      "static/keep.txt": "",
      "lib/page.html": `<img src={~p"/images/x.png"} /><img src="/images/logo.png" alt="Phoenix">`,
    },
    assets: ["static/images/logo.png"],
  },
  {
    name: "monorepo",
    files: {
      "package.json": "{}",
      "apps/web/package.json": pkg("next"),
      "apps/web/app/page.tsx": `export default () => <img src="/hero.png" alt="Hero" />;`,
      "apps/docs/package.json": pkg("astro"),
      "apps/docs/src/pages/index.astro": `<img src="/docs-hero.png" alt="">`,
      "packages/ui/package.json": "{}",
      "packages/ui/src/Button.tsx": `import grain from "./grain.png";`,
    },
    assets: ["apps/web/public/hero.png", "apps/docs/public/docs-hero.png", "packages/ui/src/grain.png"],
  },
  {
    name: "site below a path",
    files: {
      "package.json": pkg("vite"),
      "index.html": `<link rel="icon" href="/tides/favicon.png"><img src="/tides/img/a.png"><img src="/b.png">`,
      "public/favicon.png": "",
      "public/img/a.png": "",
    },
    assets: ["public/b.png"],
  },
  {
    name: "Solid",
    files: {
      "package.json": pkg("vite", "solid-js"),
      "src/App.jsx": `import crab from "./crab.webp"; const bg = new URL("./bg.jpg", import.meta.url); const other = new URL("x.png", base);
export default () => <div style={{ "background-image": "url('/foam.png')" }}><img src={crab} /></div>;`,
      "index.html": `<link rel="shortcut icon" href="/src/assets/favicon.ico" />`,
    },
    assets: ["src/assets/favicon.ico", "src/crab.webp", "src/bg.jpg", "public/foam.png"],
  },
  {
    name: "Parcel",
    files: {
      "package.json": pkg("parcel"),
      "src/index.html": `<img src="./pictures/one.jpg"><source srcset="pictures/two.webp, pictures/two@2x.webp 2x">`,
      "src/style.less": `@img: "x"; .a { background: url("@{img}/x.png") } .b { background: url('pictures/three.png') }`,
    },
    assets: ["src/pictures/one.jpg", "src/pictures/two.webp", "src/pictures/two@2x.webp", "src/pictures/three.png"],
  },
  {
    name: "ignored and generated",
    files: {
      "package.json": pkg("vite"),
      "index.html": `<img src="/generated/chart.png"><img src="/kept.png"><img src="/build/x.png"><img src="node_modules/kit/x.png">`,
      "src/a.css": `.a { background: url("../node_modules/kit/x.png") } .b { background: url("~kit/x.png") }`,
    },
    assets: ["public/kept.png"],
    ignored: ["public/generated/"],
  },
  {
    name: "game in plain JavaScript",
    files: {
      "index.html": `<canvas></canvas><audio src="boom.mp3"></audio>`,
      "js/game.js": `const sprites = { playerImage: "img/player.png", enemySrc: './img/enemy.png' };\nconst levels = ["a.png"]; load("img/" + id + ".png"); if (/a\\/b.png/.test(x)) log("wrote out.png");`,
    },
    assets: ["img/player.png", "img/enemy.png"],
  },
  {
    name: "slides and books",
    files: {
      "book.toml": "",
      "src/SUMMARY.md": "- [One](one.md)",
      "src/one.md": `# One\n\n- ![In a list](img/list.png)\n  ![Below](<img/with space.png>)\n\n> ![Quoted](img/quote.jpg)\n\n| a | b |\n|---|---|\n| ![t](img/table.png) | x |`,
    },
    assets: ["src/img/list.png", "src/img/with space.png", "src/img/quote.jpg", "src/img/table.png"],
  },
  {
    name: "Tailwind landing page",
    files: {
      "package.json": pkg("vite", "tailwindcss"),
      "index.html": `<div class="bg-[url('/img/wave.png')]" style="background: url(/img/sky.jpg)"></div><img data-src="/img/lazy.webp"><a href="/img/full.jpg">Large</a><a href="/file.pdf">x</a>`,
      "src/data.ts": `export const team = [{ name: "Ada", photo: "/team/ada.jpg" }, { name: "Max", photo: "/team/max.jpg" }, { photo: "/eve.jpg" }]; export const t = { title: "x.png" };`,
      "public/reviews/eve.jpg": "",
    },
    assets: [
      "public/img/wave.png",
      "public/img/sky.jpg",
      "public/img/lazy.webp",
      "public/img/full.jpg",
      "public/team/ada.jpg",
      "public/team/max.jpg",
    ],
  },
  {
    name: "PWA with Windows tiles",
    files: {
      "index.html": `<meta name="msapplication-TileImage" content="/tiles/144.png"><link rel="manifest" href="/manifest.webmanifest">`,
      "browserconfig.xml": `<browserconfig><msapplication><tile><square150x150logo src="/tiles/150.png"/></tile></msapplication></browserconfig>`,
      "manifest.webmanifest": JSON.stringify(
        {
          name: "Tides",
          icons: [{ src: "/icons/a.png", sizes: "any" }],
          screenshots: [{ src: "shots/wide.png", sizes: "1280x720" }],
          shortcuts: [{ name: "Now", icons: [{ src: "icons/now.png", sizes: "96x96" }] }],
        },
        undefined,
        2,
      ),
    },
    assets: ["tiles/144.png", "tiles/150.png", "icons/a.png", "shots/wide.png", "icons/now.png"],
  },
];
