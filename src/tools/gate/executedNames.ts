/** Files that another program runs, loads or obeys without being asked: a change to one of them is a program of its author's. */
import { basename } from "node:path";
import { compileNames, type NameKind } from "./nameTable";

/** Files that git, the editor or an agent obeys as soon as they are there, without anything being started. */
const obeyed: Readonly<Record<string, NameKind>> = {
  git: {
    names: ".gitattributes .gitmodules .gitconfig .gitignore_global hgrc",
    folders: ".git .hg .svn .bzr .jj .husky .githooks .git-hooks .hooks *.git/hooks",
  },
  editors: {
    names: `*.code-workspace *.sublime-project *.sublime-build *.sublime-commands .exrc .nvimrc .vimrc _vimrc .gvimrc .ideavimrc
      .nvim.lua init.vim init.lua .lvimrc .dir-locals*.el .emacs* .editorconfig .jvmopts .lldbinit* .gdbinit* .projectile
      .classpath .project .factorypath`,
    folders: `.vscode .vscode-test .vs .fleet .idea .zed .nova .vim .nvim .emacs.d .devcontainer .theia .settings
      globalstorage workspacestorage`,
  },
  agents: {
    names: `agents.md agents.*.md agent.md claude.md claude.*.md gemini.md codex.md skill.md warp.md qwen.md crush.md crush.*.md
      opencode.md opencode.*.md amazonq.md iflow.md codebuddy.md replit.md
      copilot-instructions.md *.instructions.md *.prompt.md *.agent.md *.chatmode.md .cursorrules .cursorignore .clinerules*
      .windsurf* .aider* .roomodes .roorules* .rooignore .rules .goosehints .junierules .mcp.json mcp.json mcp.*.json
      mcp_settings.json mcp-config.json *mcp_settings.json .crush.json opencode.json* .opencode.json*`,
    folders: `.cursor .claude .roo .cline .clinerules .windsurf .continue .aider .kiro .gemini .codex .junie .amazonq .augment
      .trae .opencode .qwen .goose .agent .agents .copilot .sluice .mcp .warp .crush`,
  },
};

/** Files that a language server, a test explorer or a framework's extension loads as soon as they are saved, or when it starts an interpreter. */
const loadedOnSave: NameKind = {
  names: `renv/activate.r startup.m finish.m user.clj user.cljs user.cljc data_readers.clj* *-gdb.py hatch_build.py conf.py test_*.py *_test.py addon.rb library/*.py config/*.rb environments/*.rb routes/*.php config/*.php bootstrap/*.php
      providers/*.php project/*.scala`,
  folders: `ruby_lsp *_plugins module_utils config/initializers buildsrc build-logic macros *-macro *_macro *-macros *_macros *-derive
      *_derive scripts tooling eslint eslint-*`,
};

/** Settings of programs that extensions of an editor start without being asked, and code that these load with them. */
const loadedWithEditor: NameKind = {
  names: `.eslintrc* .prettierrc* .stylelintrc* .babelrc* .postcssrc* .pnp.* *.config.* conftest.py sitecustomize.py usercustomize.py *.pth build.rs
    .envrc .rprofile entry_points.txt cspell.json dprint.json`,
  folders: ".cargo .direnv .devenv .mise .venv venv",
};

const executed: Readonly<Record<string, NameKind>> = {
  ...obeyed,
  loadedOnSave,
  loadedWithEditor,
  gitHooks: {
    names: `.pre-commit-config.y*ml .pre-commit-hooks.y*ml
      lefthook* .lefthook* .lintstagedrc* lint-staged.* .huskyrc* .overcommit.yml .commitlintrc* .czrc .releaserc*
      applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
      pre-rebase post-checkout post-merge pre-push pre-receive update post-receive post-update reference-transaction
      push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman`,
  },
  continuousIntegration: {
    names: `.gitlab-ci* .travis.y*ml azure-pipelines*.y*ml bitbucket-pipelines.y*ml .drone.y*ml .drone.star .woodpecker.y*ml
      jenkinsfile* appveyor.y*ml .appveyor.y*ml cloudbuild*.y*ml buildspec*.y*ml action.y*ml codeowners .cirrus.* .semaphore.yml
      wercker.yml netlify.toml vercel.json now.json renovate.json* .renovaterc* dependabot.y*ml .mergify.yml fly.toml render.yaml
      railway.* app.json app.yaml codemagic.yaml bitrise.yml .sourcery.yaml`,
    folders: `.github .gitlab .circleci .buildkite .gitea .forgejo .woodpecker .semaphore .azuredevops .azure-pipelines .teamcity
      .ci .tekton .vercel .netlify`,
  },
  shells: {
    names: `*.sh *.bash *.zsh *.fish *.ksh *.csh *.tcsh *.nu *.ps1 *.psm1 *.psd1 *.ps1xml *.bat *.cmd *.vbs *.vbe *.wsf *.hta *.command *.tool
      *.scpt *.applescript *.desktop *.service *.timer *.socket *.plist *.reg *.inf *.msi *.exe *.com *.scr *.dll *.so *.dylib *.jar
      *.lnk *.url *.awk *.sed .bash_* .bashrc .bashenv .zsh* .zprofile .zlogin .zlogout .profile .login .logout .cshrc .tcshrc .kshrc .mkshrc
      .inputrc .envrc .direnvrc .xinitrc .xprofile .xsession* .tmux.conf .screenrc .netrc .wgetrc .curlrc config.fish crontab *.cron
      authorized_keys known_hosts`,
    folders:
      ".ssh .bashrc.d .zshrc.d .config/fish .config/autostart .config/systemd launchagents launchdaemons cron.d .local/bin",
  },
  javascript: {
    names: `package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock* deno.json* deno.lock
      import_map.json .npmrc .yarnrc* .pnpmfile.* .pnp.* bunfig.toml bower.json .bowerrc lerna.json nx.json turbo.json rush.json
      workspace.json project.json angular.json ionic.config.json .swcrc .babelrc* .eslintrc* .prettierrc* .stylelintrc* .mocharc* .nycrc*
      .jestrc* .taprc .xo-config* .postcssrc* .lintstagedrc* .parcelrc .browserslistrc .c8rc* .terserrc* .jshintrc .jscsrc
      tsconfig*.json jsconfig*.json tslint.json tsdoc.json *.config.* *.conf.js *.conf.ts *.workspace.ts vite.* webpack.* rollup.* gulpfile*
      gruntfile* jakefile* cakefile brunch-config* wallaby.* karma.* protractor.* .size-limit* .nvmrc .node-version .volta* .huskyrc*
      eslint-local-rules.* setuptests.* jest.setup.* vitest.setup.* .env.js binding.gyp *.gyp *.gypi`,
    folders: "node_modules .yarn .pnpm .storybook .npm .changeset patches eslint-local-rules",
  },
  python: {
    names: `pyproject.toml setup.py setup.cfg conftest.py tox.ini noxfile.py sitecustomize.py usercustomize.py *.pth *.ipynb
      requirements*.txt requirements*.in constraints*.txt pipfile* poetry.lock poetry.toml uv.lock uv.toml pdm.toml pdm.lock environment.y*ml
      conda.y*ml pytest.ini .pytest.ini mypy.ini .mypy.ini .pylintrc pylintrc .flake8 .coveragerc .pdbrc .pythonrc* .pythonstartup
      manage.py fabfile* dodo.py tasks.py pavement.py scons* sconstruct sconscript wscript waf .python-version .pypirc pip.conf pip.ini
      manifest.in __main__.py .isort.cfg ruff.toml .ruff.toml dvc.yaml *.pyc *.pyd *.pkl *.pickle`,
    folders: ".venv venv site-packages dist-packages .tox .nox __pycache__ .ipython .jupyter",
  },
  nativeLanguages: {
    names: `cargo.toml cargo.lock build.rs rust-toolchain* clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml go.mod go.sum go.work go.work.sum
      .golangci.* .goreleaser.* .air.toml build.zig* package.swift package@swift-*.swift package.resolved *.xcconfig *.pbxproj *.xcscheme podfile* cartfile*
      fastfile appfile gymfile scanfile mix.exs mix.lock rebar.* *.app.src dub.json dub.sdl *.nimble *.cabal stack.yaml cabal.project* package.yaml
      .ghci dune dune-project *.opam shard.yml project.clj deps.edn shadow-cljs.edn bb.edn *.rockspec .luarc.json cpanfile makefile.pl
      build.pl .perltidyrc .rprofile .renviron renv.lock pubspec.* build.yaml dart_test.yaml *.asd .sbclrc`,
    folders: ".cargo .ghc .stack .bundle fastlane *.xcodeproj *.xcworkspace .swiftpm .dart_tool",
  },
  rubyAndPhp: {
    names: `gemfile* gems.rb gems.locked rakefile* *.rake *.gemspec capfile guardfile vagrantfile* thorfile berksfile brewfile* dangerfile .irbrc
      .pryrc .rspec .rubocop* .simplecov .solargraph.yml .ruby-version config.ru composer.json composer.lock auth.json phpunit.xml* phpstan*
      psalm.xml* .php-cs-fixer* .php_cs* php.ini .user.ini .htaccess artisan phing.xml box.json*`,
    folders: "vendor",
  },
  dotnetAndJvm: {
    names: `*.csproj *.fsproj *.vbproj *.vcxproj* *.proj *.sln *.slnx *.props *.targets *.ruleset *.rsp directory.*.props directory.*.targets
      directory.*.rsp directory.build.* directory.packages.* nuget.config packages.config packages.lock.json global.json dotnet-tools.json
      omnisharp.json launchsettings.json *.cake *.csx *.fsx *.gradle *.gradle.* gradle.properties gradlew* *.kts pom.xml mvnw* *.sbt build.sc .mill*
      build.properties build.xml ivy.xml .scalafmt.conf .java-version .sdkmanrc maven.config jvm.config extensions.xml settings.xml ant.* *.groovy`,
    folders: ".mvn gradle .gradle .sbt .bloop .metals .config/dotnet-tools",
  },
  builders: {
    names: `makefile makefile.* gnumakefile* bsdmakefile *.mk *.mak *.make cmake* *.cmake meson.build meson_options.txt meson.options *.ninja
      build.bazel *.bazel *.bzl build workspace workspace.* module.bazel* .bazelrc* .bazelversion buck .buckconfig* pants.toml .pants.rc build.pants
      configure configure.ac configure.in *.am *.m4 *.ac autogen* bootstrap install tiltfile* taskfile* .taskfile* justfile* .justfile *.just mise*.toml .mise*
      .tool-versions .rtx.toml *.nix flake.lock procfile* earthfile dagger.json garden.y*ml skaffold.y*ml devspace.y*ml okteto.y*ml magefile*
      rules.ninja premake* xmake.lua tup.config tupfile* *.pro *.pri *.qbs conanfile* vcpkg.json vcpkg-configuration.json .clangd .clang-tidy
      compile_commands.json compile_flags.txt .ccls doxyfile* .devenv* devbox.json devenv.* .flox* .pre-run latexmkrc .latexmkrc`,
    folders: ".devenv .direnv .mise .cmake autom4te.cache",
  },
  deployment: {
    names: `dockerfile* *.dockerfile containerfile* *.containerfile docker-compose* compose*.y*ml .dockerignore docker-bake.* *.tf *.tf.json *.tofu
      *.hcl *.bicep *.pkr.* .terraformrc terraform.rc terragrunt.* pulumi*.y*ml serverless*.y*ml samconfig.toml template.y*ml cdk.json helmfile*
      chart.y*ml kustomization.y*ml ansible.cfg playbook*.y*ml site.y*ml inventory* *.nomad *.pp puppetfile cloud-init* user-data *.kickstart
      nginx.conf *.nginx supervisord.conf httpd.conf caddyfile* wrangler.* firebase.json *.rego .sops.yaml`,
    folders: ".docker .terraform .terraform.d .pulumi .serverless .ansible .kube .helm",
  },
};

/** Whether an editor, a shell, git, a build, CI or an agent would run the file. */
export const isExecutedPath: (inRoot: string) => boolean = compileNames(executed).has;

/** Like `isObeyedPath`. It is a table of its own, because a table remembers the folder of its last query, and both are asked in turn. */
const isObeyedBelow = compileNames(obeyed).has;

/** Whether git, an editor or an agent obeys the file without anything being started. */
export const isObeyedPath: (inRoot: string) => boolean = compileNames(obeyed).has;

/**
 * Whether the file is obeyed by its path and the name of the root before it, as all in `~/.claude` is. The other tables are not asked: a folder of the
 * person's own that is called `scripts` is no sign that something loads what lies in it. `root`: absolute.
 */
export const isObeyedInRoot = (root: string, inRoot: string): boolean => isObeyedBelow(`${basename(root)}/${inRoot}`);

/** Whether programs that extensions of the editor start unasked load the file, whatever folder it lies in. */
export const isLoadedPath: (inRoot: string) => boolean = compileNames({ loadedWithEditor }).has;
