/**
 * Options of the programs that are understood (A3), by their whole names: none names a program, a module, a shell, a host or an
 * upload. Another one, also a beginning of one of these, makes the command ask.
 */

const everywhere = `--verbose --quiet --silent --version --help --color --colors --no-color --bail --fail-fast --failfast --ci --check --dry-run
  --diff --fix --cache --no-cache --coverage --parallel --jobs --concurrency --workers --timeout --retries --list --strict`;

/** `*`: the next word is a text, as a message or a part of the names of tests. */
const tests = `--reporter --reporters --grep* --invert --run --exit --recursive --runInBand --maxWorkers --testTimeout --passWithNoTests
  --forbid-only --forbidOnly --forceExit --detectOpenHandles --onlyChanged --changed --testNamePattern* --testPathPattern --watch=false
  --watchAll=false --no-watch --filter* --max-warnings --shard -g* -t* -b -i -s`;

/** Names of programs, or words of them, then their options. */
const lines = `
  npm pnpm yarn bun: ${tests} --if-present --workspaces --noEmit --write
  vitest jest mocha ava c8 nyc cypress: ${tests} -R -x --headless --e2e --component
  --test: ${tests} --test-only --test-name-pattern* --test-reporter --test-concurrency --test-timeout --test-isolation --no-warnings --enable-source-maps
  playwright: ${tests} -x --headed --project --repeat-each --grep-invert* --last-failed --max-failures --trace --fully-parallel --pass-with-no-tests
  deno: -A --allow-all --no-check --filter*
  eslint stylelint markdownlint: --max-warnings --ext --format -f --no-eslintrc --report-unused-disable-directives
  prettier: -c -w -l -u --write --list-different --ignore-unknown --log-level
  tsc: -b --build --noEmit --pretty --skipLibCheck --incremental --listFiles --showConfig --target --module --jsx --esModuleInterop --allowJs --checkJs
  biome: --write --unsafe --error-on-warnings --max-diagnostics --changed --staged
  knip depcruise: --production --include --exclude --dependencies --exports --files --no-progress
  pytest unittest doctest coverage tox nox: -k* -m* -n -e -f -x -s -l -b --tb --maxfail --lf --ff --nf --sw --last-failed --failed-first --stepwise --no-header --no-summary
  pytest unittest doctest coverage tox nox: --collect-only --co --durations --cov --cov-report --cov-branch --no-cov --disable-warnings --showlocals --capture
  pytest unittest doctest coverage tox nox: --deselect --ignore --doctest-modules --setup-show --fixtures --markers --strict-markers --numprocesses -rA -ra -rf -rs -rx
  coverage: --source --branch --omit --include --skip-covered --show-missing --fail-under --append --parallel-mode --sort --precision
  django coverage: --settings --verbosity --noinput --no-input --keepdb --testrunner --tag --exclude-tag --timing --traceback --reverse --buffer -k*
  mypy pyright: --ignore-missing-imports --no-incremental --show-error-codes --pretty --follow-imports --python-version --no-error-summary --stats --warnings
  ruff black isort flake8 pylint pyflakes: --select --ignore --extend-select --extend-ignore --output-format --preview --statistics --unsafe-fixes --show-fixes
  ruff black isort flake8 pylint pyflakes: --line-length -l --check-only --profile --max-line-length --max-complexity --count --show-source --disable --enable --errors-only -E -j
  sqlfluff: --dialect --ignore --rules --exclude-rules --force -f --format --nofail --processes
  rspec rubocop: -f -fd --format --tag -e* --example* --order --seed --backtrace --only-failures --next-failure -a -A --autocorrect --only --except --lint
  phpunit phpstan: --filter* --testdox --stop-on-failure --no-coverage --group --exclude-group --testsuite --level --no-progress --memory-limit --error-format
  golangci-lint: --enable --disable --fast --new
  gofmt goimports rustfmt clang-format clang-tidy: -l -w -d -s -i --edition --style --checks
  ktlint swiftlint shellcheck: -F -x -S -s -f -e
  ctest: --output-on-failure -j -V -VV -R -E -L -N -C -Q --rerun-failed --stop-on-failure --test-dir
  go: -run* -short -race -count -cover -bench -benchmem -timeout -parallel -failfast -json -tags -p -list -skip -shuffle -vet=off
  cargo: -vv --release --lib --bins --tests --examples --benches --all --workspace --all-targets --all-features --no-default-features --features --package -p -j
  cargo: --bin --test --bench --example --no-fail-fast --no-run --locked --offline --frozen --doc --exact --nocapture --ignored --include-ignored --test-threads --no-deps
  dotnet: --no-build --no-restore --configuration -c --verbosity --filter* --nologo --framework --list-tests
  mvn mvnw: -B -o -e -ntp -pl -am
  gradle gradlew: --info --stacktrace -i -s --no-daemon --offline --continue --rerun-tasks --build-cache --console --warning-mode --tests -x
  meson: --suite --print-errorlogs --no-rebuild --repeat
  --build: --config --target --clean-first -j
  make ninja just task rake: -j -k -s -B -n -w --keep-going --always-make --no-print-directory
  git: -m* -am* --message* -a -A -u -N -s -b -sb -uno -z -o --all --update --allow-empty --signoff --short --porcelain --branch --untracked-files
  git: --ignored --others --modified --deleted --cached --exclude-standard --error-unmatch --stage --show-toplevel --show-current --abbrev-ref --verify
`;

export interface KnownOptions {
  has(option: string): boolean;
  /** Whether the word after it is a text. */
  takesText(option: string): boolean;
}

const letters = /^-(?:v+|q+|h|[vqxsl]{2,5})$/u;
const table = readTable();

/** Of the program and the words that were understood. */
export function knownOptionsOf(understood: readonly string[]): KnownOptions {
  const known = new Set([...wordsOf(everywhere), ...understood.flatMap((word) => table.get(word) ?? [])]);
  const isLetters = (option: string): boolean =>
    letters.test(option) && (option.length < 3 || /^-(?:v+|q+)$/u.test(option) || understood.includes("pytest"));
  const has = (option: string): boolean => known.has(option) || known.has(`${option}*`);
  return {
    has: (option) => {
      const [name = ""] = option.split("=", 1);
      return has(option) || has(name) || has(name.replace(/^(-[a-z])\d+$/u, "$1")) || isLetters(option);
    },
    takesText: (option) => known.has(`${option}*`),
  };
}

function readTable(): ReadonlyMap<string, readonly string[]> {
  const read = new Map<string, readonly string[]>();
  for (const line of lines.split(/\n(?= {2}\S+(?: \S+)*: )/u)) {
    const [names = "", options = ""] = line.split(": ", 2);
    for (const name of wordsOf(names)) read.set(name, [...(read.get(name) ?? []), ...wordsOf(options)]);
  }
  return read;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}
