"""Runs a client in another language: it reads cases, reports in TAP, and every line of it must be `ok`."""

import subprocess

from questions import COMPOSED, CUSTOMERS_OF, CUSTOMERS_OF_SQL, QUESTIONS


def write_cases(server, forms, path):
    """One line a case: name, SQL, expected rows. Fields by tab, rows by RS, columns by US, as ASCII has them."""
    cases = [
        (f"{question.name} by {name}", form.format(question.text), server.plain(question.sql))
        for question in QUESTIONS
        for name, form in forms.items()
    ]
    cases += [(f"composed in a {name}", sql, server.plain(plain)) for name, (sql, plain) in COMPOSED.items()]
    parameter = CUSTOMERS_OF.format("$1"), server.plain(CUSTOMERS_OF_SQL)
    cases.append(("parameter", *parameter))
    lines = [
        "\t".join([name, sql, "\x1e".join("\x1f".join(map(str, row)) for row in rows)]) for name, sql, rows in cases
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_tap(command, **options):
    """Fails with all that was not ok, or if the plan was not carried out."""
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, **options)
    lines = ran.stdout.splitlines()
    bad = [line for line in lines if line.startswith("not ok")]
    assert not bad and ran.returncode == 0, "\n".join(bad) + "\n" + ran.stderr
    done = sum(line.startswith("ok ") for line in lines)
    assert f"1..{done}" in lines and done > 10, ran.stdout + ran.stderr
