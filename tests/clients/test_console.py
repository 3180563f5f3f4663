"""The console in a real browser, on both backends.

With QUERENT_PICTURES the pages are also kept as pictures in that folder; docs/console has some of them.
"""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from backends import QUERENT
from browser import Browser
from servers import Querent

PICTURES = os.environ.get("QUERENT_PICTURES")
AXE = pathlib.Path(__file__).resolve().parents[2] / "target/clients/node/node_modules/axe-core/axe.min.js"
MODEL = """\
version: 0.2.0.dev0
semantic_model:
- name: pets
  datasets:
  - name: pet
    source: pet
  metrics:
  - name: heft
    description: What all pets weigh.
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pet.weight)}]}
"""
# Evaluations run when no other program wants to.
IDLE = 300
QUESTION = "how many customers are there in each country?"


@pytest.fixture
def browser():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def console(server, browser):
    """Signed in by the address that the server printed, and logged in to the database where it asks for that."""
    way_in = re.search(r"open it with (\S+)", server.querent.told())[1]
    browser.open(way_in)
    if server.backend == "postgres":
        browser.wait("!document.getElementById('login').hidden")
        browser.run("for (const [name, value] of [['user', 'tester'], ['database', 'shop']]) document.forms.login[name].value = value")
        browser.run("document.forms.login.requestSubmit()")
        browser.wait("document.getElementById('login').hidden")
    else:
        browser.wait("document.querySelectorAll('#examples button').length > 2")
    browser.errors.clear()  # of the question for examples, which was refused before the login
    return way_in.split("/?")[0]


def ask(browser, question):
    browser.run(f"document.getElementById('words').value = {json.dumps(question)}; document.getElementById('ask').requestSubmit()")
    browser.wait("!document.getElementById('stop').hidden || !document.getElementById('result').hidden")
    browser.wait("document.getElementById('stop').hidden")


def picture(browser, name):
    if PICTURES:
        for dark in (False, True):
            browser.show(dark=dark)
            browser.picture(pathlib.Path(PICTURES, f"{name}-dark.png" if dark else f"{name}.png"))
        browser.show()


def accessible(browser, page):
    """axe-core finds nothing serious, neither in the light nor in the dark."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: ./test clients installs it")
    for dark in (False, True):
        browser.show(dark=dark)
        if not browser.run("'axe' in window"):
            browser.run(AXE.read_text())
        found = browser.run("axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))")
        serious = [violation for violation in found if violation["impact"] in ("serious", "critical")]
        assert not serious, (page, "dark" if dark else "light", serious)
    browser.show()


def test_a_question_from_the_box_to_its_page(server, browser, console):
    ask(browser, QUESTION)
    countries = {str(row[0]): row[1] for row in server.plain("SELECT country, count(*) FROM customers GROUP BY country")}
    shown = browser.run("[...document.querySelectorAll('#rows tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    assert {name: int(count) for name, count in shown} == countries
    assert "GROUP BY" in browser.text("#sql")
    assert "%" in browser.text("#sure")
    assert "customers" in browser.text("#steps")
    assert "schema linking" in browser.text("#agents") or "answered before" in browser.text("#agents")
    browser.run("document.querySelector('[data-verdict=good]').click()")
    browser.wait("document.getElementById('said').textContent === 'Thank you.'")
    assert browser.run("document.querySelectorAll('#chart .bar').length") == len(countries)
    accessible(browser, "ask")
    picture(browser, f"ask-{server.backend}")
    kind = browser.run("fetch('/api/v1/parquet', { method: 'POST', headers: { 'x-csrf-token': document.querySelector('meta[name=csrf]').content }, body: JSON.stringify({ columns: ['a'], rows: [['1'], [null]] }) }).then((reply) => reply.text()).then((text) => text.slice(0, 4))")
    assert kind == "PAR1"
    # Sorted by the count, the most first.
    browser.run("document.querySelectorAll('#rows th button')[1].click()")
    assert browser.text("#rows tbody td:nth-child(2)") == str(max(countries.values()))
    browser.run("document.getElementById('trace').click()")
    browser.wait("location.pathname.startsWith('/questions/') && document.querySelectorAll('.fall details').length > 3")
    assert browser.text("h1") == QUESTION
    # The way that it took; who is chosen there is opened.
    browser.wait("document.querySelectorAll('.node:not(.unused)').length > 3")
    browser.run("document.querySelector('.node[data-agent=schema_linking]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))")
    browser.wait("document.querySelector('.fall details[open]')?.dataset.agent === 'schema_linking'")
    accessible(browser, "question")
    picture(browser, f"question-{server.backend}")
    assert not browser.errors, browser.errors


def test_every_page_shows_what_it_is_for(server, browser, console):
    ask(browser, "the five most expensive products")
    for page, there in [
        ("questions", "document.querySelectorAll('#list tr').length > 0"),
        ("pipeline", "document.querySelectorAll('#tiles .tile').length > 5"),
        ("benchmarks", "!document.getElementById('none').hidden"),
        # In front of a server there are views of the semantic model where a file has one.
        ("schema", "document.querySelectorAll('#datasets details').length > 10 || !document.getElementById('problem').hidden"),
        ("system", "document.querySelectorAll('#settings tbody tr').length > 0"),
    ]:
        browser.open(f"{console}/{page}")
        browser.wait(there)
        if page == "pipeline":
            # What the agents did comes to the store in its own time.
            browser.wait("document.querySelectorAll('.node:not(.unused)').length > 3")
            browser.run("document.querySelector('.node[data-agent=schema_linking]').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
            assert "95 % within" in browser.text("#chosen")
        assert browser.text(f"nav a[href='/{page}'][aria-current]")
        if page == "schema" and server.backend == "postgres":
            browser.errors.clear()  # of the views that are not there
        elif page == "schema":
            browser.run("[...document.querySelectorAll('#datasets details')].find((table) => table.querySelector('b').textContent === 'orders').open = true")
            assert "→ customers (customer_id)" in browser.text("#datasets details[open]")
            browser.run("[...document.querySelectorAll('#datasets details')].find((table) => table.querySelector('b').textContent === 'returns').open = true")
            # They are filled as they come into sight.
            for nth in range(2):
                open_table = f"document.querySelectorAll('#datasets details[open]')[{nth}]"
                browser.run(f"{open_table}.scrollIntoView({{ block: 'center' }})")
                browser.wait(f"[...{open_table}.querySelectorAll('.basis')].some((basis) => basis.textContent.startsWith('Values of'))")
            browser.run("scrollTo(0, 0)")
            types = browser.run("[...document.querySelectorAll('#datasets details[open] table:first-of-type tbody tr')].map((row) => row.cells[1].textContent)")
            assert types and all(types), types
        accessible(browser, page)
        picture(browser, f"{page}-{server.backend}")
        # A page scrolls down and not sideways, on a phone too.
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), page
        browser.show(width=390, height=844)
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), page
        browser.show()
    assert not browser.errors, browser.errors


def test_an_answer_is_drawn_changed_and_found_again(server, browser, console):
    for question, drawn in [
        ("how many customers are there?", "#chart .figures b"),
        ("Number of orders per month", "#chart .course"),
    ]:
        ask(browser, question)
        browser.wait(f"!!document.querySelector('{drawn}')")
        browser.run("document.querySelector('[data-kind=table]').click()")
        browser.wait("document.getElementById('chart').hidden && !document.getElementById('rows').parentElement.hidden")
    ask(browser, "how many customers are there?")
    count = browser.text("#chart b")
    browser.run("document.getElementById('edit').click()")
    # Of both backends' own dialects.
    browser.run("document.getElementById('edited').value = 'SELECT count(*) + 1 AS one_more FROM customers'; document.getElementById('editor').requestSubmit()")
    browser.wait(f"document.querySelector('#chart b')?.textContent !== {json.dumps(count)}")
    assert browser.text("#chart span") == "one more"
    browser.errors.clear()
    browser.run("document.getElementById('edit').click(); document.getElementById('edited').value = 'DELETE FROM customers'; document.getElementById('editor').requestSubmit()")
    browser.wait("document.getElementById('problem').innerText.includes('42501')")
    browser.errors.clear()  # of the statement that was refused
    address = browser.run("location.href")
    assert "/ask/" in address
    browser.open(address)
    browser.wait("!document.getElementById('rerun').hidden")
    browser.run("document.getElementById('rerun').click()")
    browser.wait(f"document.querySelector('#chart b')?.textContent === {json.dumps(count)}")
    assert not browser.errors, browser.errors


def test_questions_of_others_come_up_as_they_are_asked(server, browser, console):
    psycopg = pytest.importorskip("psycopg")
    browser.open(f"{console}/questions")
    browser.wait("document.getElementById('live').textContent.includes('live')")
    question = "how many stores are there <img src=x onerror=alert(1)>"
    with psycopg.connect(server.url, autocommit=True) as connection:
        try:
            connection.execute(f"-- nl: {question}")
        except psycopg.Error:
            pass  # Whether it is understood is not the point.
    browser.wait("document.querySelector('#list tr').innerText.includes('onerror')")
    assert browser.run("document.querySelectorAll('#list img').length") == 0
    browser.run("document.querySelector('#list a').click()")
    browser.wait("location.pathname.startsWith('/questions/') && !!document.querySelector('h1')")
    assert "<img" in browser.text("h1") and browser.run("document.querySelectorAll('main img').length") == 0
    assert not browser.errors, browser.errors


def test_a_question_without_an_answer_says_why(server, browser, console):
    ask(browser, "how many unicorns are purple?")
    assert "NL001" in browser.text("#problem") and "unicorns" in browser.text("#problem")
    assert not browser.errors, browser.errors


def test_without_the_token_there_is_nothing(server, browser):
    console = re.search(r"console on (\S+)", server.querent.told())[1]
    browser.open(f"{console}/questions")
    browser.wait("location.pathname === '/sign-in'")
    browser.run("document.querySelector('[name=token]').value = 'wrong'; document.querySelector('main form').requestSubmit()")
    browser.wait("!!document.querySelector('[role=alert]')")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{console}/api/v1/questions")
    assert refused.value.code == 401


@pytest.fixture
def operated(tmp_path, browser):
    """A server of its own with a data set and a semantic model, signed in."""
    database = tmp_path / "sets/animals/database/pets/pets.sqlite"
    database.parent.mkdir(parents=True)
    with sqlite3.connect(database) as connection:
        connection.executescript(
            "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL);"
            "INSERT INTO pet VALUES (1, 'Rex', 'dog', 20.5), (2, 'Tom', 'cat', 4.0), (3, 'Kit', 'cat', 3.5);"
            # A reference that nobody declared.
            "CREATE TABLE visit (id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL, day TEXT NOT NULL);"
            "INSERT INTO visit VALUES (1, 1, '2024-05-01'), (2, 2, '2024-05-02'), (3, 2, '2024-06-01'), (4, 3, '2024-06-03');"
        )
    asked = [
        ("How many pets are there?", "SELECT count(*) FROM pet", "easy", "count"),
        ("How many pets of each kind are there?", "SELECT kind, count(*) FROM pet GROUP BY kind", "medium", "group"),
        ("Names of cats", "SELECT name FROM pet WHERE kind = 'cat' AND weight < 4", "medium", "list"),
        ("Purple unicorns?", "SELECT 3", "hard", "count"),
    ]
    questions = [{"db_id": "pets", "question": question, "query": query, "difficulty": level, "kind": kind} for question, query, level, kind in asked]
    (tmp_path / "sets/animals/questions.json").write_text(json.dumps(questions))
    (tmp_path / "model.yaml").write_text(MODEL)
    (tmp_path / "querent.toml").write_text(f'console_datasets = ["{tmp_path}/sets/animals"]\n[semantic]\nfile = "{tmp_path}/model.yaml"\n[store]\npath = "{tmp_path}/kept/store.db"\n')
    querent = Querent(QUERENT, [str(database)], tmp_path, console="127.0.0.1:0")
    querent.start()
    way_in = re.search(r"open it with (\S+)", querent.told())[1]
    browser.open(way_in)
    browser.wait("document.querySelectorAll('#examples button').length > 0")
    yield way_in.split("/?")[0]
    querent.stop()


def test_a_benchmark_from_its_start_to_a_question(operated, browser):
    browser.open(f"{operated}/benchmarks")
    browser.wait("!document.getElementById('start').hidden")
    browser.run("document.getElementById('start').requestSubmit()")
    browser.wait("location.pathname.startsWith('/benchmarks/') && document.getElementById('state').textContent === 'finished'", patience=IDLE)
    browser.wait("document.querySelectorAll('#cells button').length === 4")
    accessible(browser, "benchmark")
    picture(browser, "benchmark")
    browser.run("document.querySelector('#cells .c-wrong').click()")
    browser.wait("!document.getElementById('detail').hidden && !!document.querySelector('tr.surplus')")
    assert "Names of cats" in browser.text("#look")
    accessible(browser, "a question of a benchmark")
    picture(browser, "benchmark-question")
    first = browser.run("location.pathname").rsplit("/", 1)[1]
    browser.open(f"{operated}/benchmarks")
    browser.wait("!document.getElementById('start').hidden")
    browser.run("document.getElementById('start').requestSubmit()")
    browser.wait("location.pathname.startsWith('/benchmarks/') && document.getElementById('state').textContent === 'finished'", patience=IDLE)
    browser.open(browser.run("location.href") + f"?with={first}")
    browser.wait("document.getElementById('change').textContent.includes('0 won, 0 lost')")
    browser.open(f"{operated}/benchmarks")
    browser.wait("document.querySelectorAll('#runs tbody tr').length === 2")
    accessible(browser, "benchmarks")
    picture(browser, "benchmarks")
    assert not browser.errors, browser.errors


def test_a_metric_is_edited_and_the_next_answer_is_another(operated, browser):
    def heft():
        browser.open(f"{operated}/ask")
        browser.wait("document.querySelectorAll('#examples button').length > 0")
        ask(browser, "what is the heft?")
        return browser.text("#chart b")

    assert heft() == "28"
    browser.open(f"{operated}/schema")
    browser.wait("!document.getElementById('open').hidden && document.querySelectorAll('#datasets details').length > 0")
    browser.run("document.getElementById('open').click()")
    browser.wait("[...document.getElementById('metrics').options].some((option) => option.value === 'heft')")
    browser.run("document.getElementById('metrics').value = 'heft'; document.getElementById('metrics').dispatchEvent(new Event('change'))")
    browser.wait("document.getElementById('preview').textContent.includes('SUM')")
    change = "const text = document.getElementById('text'); text.value = text.value.replace({}, {}); text.dispatchEvent(new Event('input'))"
    browser.run(f"{{ {change.format(json.dumps('SUM(pet.weight)'), json.dumps('SUM(pet.nothing)'))} }}")
    browser.wait("document.getElementById('mistakes').innerText.includes('Line') && document.getElementById('save').disabled")
    accessible(browser, "the model's editor")
    picture(browser, "model")
    browser.run(f"{{ {change.format(json.dumps('SUM(pet.nothing)'), json.dumps('MAX(pet.weight)'))} }}")
    browser.wait("!document.getElementById('save').disabled")
    browser.run("document.getElementById('save').click()")
    browser.wait("document.getElementById('told').textContent.startsWith('Saved')")
    assert heft() == "20.5"
    assert not browser.errors, browser.errors


def test_a_suggestion_is_accepted_where_it_stands(operated, browser, tmp_path):
    def asked_right(question):
        browser.open(f"{operated}/ask")
        browser.wait("document.querySelectorAll('#examples button').length > 0")
        ask(browser, question)
        browser.run("document.querySelector('[data-verdict=good]').click()")
        browser.wait("document.getElementById('said').textContent === 'Thank you.'")

    def accept(words):
        button = f"[...document.querySelectorAll('#suggested li')].find((line) => line.innerText.includes({json.dumps(words)}))?.querySelector('button')"
        browser.wait(f"!!{button}")
        accessible(browser, "suggestions")
        browser.run(f"{button}.click()")
        browser.wait("document.getElementById('accepted').textContent.startsWith('Written into model.yaml')")

    for question in ("how many pets are there?", "number of pets of each kind"):
        asked_right(question)
    # The audit is written in its own time.
    for _ in range(50):
        browser.open(f"{operated}/schema")
        browser.wait("!!document.getElementById('suggestions') && !document.getElementById('suggestions').hidden")
        if browser.run("document.querySelectorAll('#suggested li').length") == 3:
            break
        time.sleep(0.1)
    picture(browser, "suggestions")
    accept("how many pets are there?")
    browser.wait("document.getElementById('queries').innerText.includes('how many pets are there?') && document.querySelectorAll('#suggested li').length === 2")
    accept("visit (pet_id) → pet (id)")
    browser.wait("document.querySelectorAll('#suggested li').length === 1")
    # The editor knows of it, and what is not saved there is not lost.
    browser.run("document.getElementById('open').click()")
    browser.wait("document.getElementById('text').value.includes('verified_queries')")
    browser.run("document.getElementById('text').value += '# mine'")
    browser.run("document.querySelector('#suggested button').click()")
    browser.wait("document.getElementById('accepted').textContent.startsWith('Save or undo')")
    model = (tmp_path / "model.yaml").read_text()
    assert all(line in model for line in MODEL.splitlines()), model
    assert "to: \"pet\"" in model and "how many pets are there?" in model, model
    assert not browser.errors, browser.errors


def test_what_a_table_holds_is_shown_when_it_is_opened(tmp_path, browser):
    database = tmp_path / "shop.db"
    with sqlite3.connect(database) as connection:
        connection.executescript("CREATE TABLE item (id INTEGER PRIMARY KEY, state TEXT, price REAL, made DATE, note TEXT, secret TEXT); CREATE TABLE hollow (name TEXT)")
        # Values that would like to be more than text.
        states = ["open", "closed", "<img src=x onerror=\"console.error('run')\">"]
        notes = ["\u202elive \x1b[31m", "\u05e9\u05dc\u05d5\u05dd", "w" * 78, None]
        rows = [(at, states[at % 3], at * 1.5, f"2024-03-{at % 28 + 1:02}", notes[at % 4], f"secret-{at}") for at in range(1, 41)]
        connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", rows)
    (tmp_path / "querent.toml").write_text(f'[privacy]\nprivate = ["item.secret"]\n[store]\npath = "{tmp_path}/store.db"\n')
    querent = Querent(QUERENT, [str(database)], tmp_path, console="127.0.0.1:0")
    querent.start()
    try:
        way_in = re.search(r"open it with (\S+)", querent.told())[1]
        browser.open(way_in)
        browser.wait("document.querySelectorAll('#examples button').length > 0")
        console = way_in.split("/?")[0]

        def opened(name):
            """The table is opened by the keyboard, and its rows as texts."""
            find = f"[...document.querySelectorAll('#datasets details')].find((details) => details.querySelector('b').textContent === '{name}')"
            browser.run(f"{find}.querySelector('summary').focus()")
            for kind in ("keyDown", "keyUp"):
                browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
            browser.wait(f"{find}.open && !{find}.querySelector('.basis').textContent.startsWith('Looking')")
            return browser.run(f"[{find}.querySelector('.basis').innerText, ...[...{find}.querySelector('tbody').rows].map((row) => row.innerText)]")

        for width in (1280, 390):
            browser.show(width=width)
            browser.open(f"{console}/schema")
            browser.wait("document.querySelectorAll('#datasets details').length === 2")
            basis, number, state, price, made, note, secret = opened("item")
            assert basis == "Values of all 40 rows"
            assert "1 to 40" in number and "1.5 to 60" in price and "2024-03-01 to 2024-03-28" in made
            assert "<img src=x" in state and "closed" in state and "14" in state
            assert "\\u{202e}live \\u{1b}[31m" in note and "25% NULL" in note
            assert "private" in secret and "secret-" not in secret
            assert browser.run("document.querySelectorAll('#datasets img').length") == 0
            # The page itself does not become wider than the window.
            assert browser.run("document.documentElement.scrollWidth <= innerWidth"), width
            assert opened("hollow")[0] == "It has no rows."
        # What is searched for is opened, and filled as it comes into sight.
        browser.show()
        browser.run("document.getElementById('search').value = 'state'; document.getElementById('search').dispatchEvent(new Event('input'))")
        browser.wait("document.querySelectorAll('#datasets details').length === 1 && document.getElementById('datasets').innerText.includes('closed')")
        accessible(browser, "what a table holds")
        assert not browser.errors, browser.errors
    finally:
        querent.stop()


@pytest.fixture
def guarded(tmp_path, browser):
    """A server whose console has users."""
    database = tmp_path / "pets.db"
    with sqlite3.connect(database) as connection:
        connection.executescript("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet VALUES (1, 'Rex'), (2, 'Tom');")
    users = '[auth]\nmode = "scram"\nusers = { ann = "a", eve = "e" }\n[console_roles]\nsee_all = ["eve"]\nteach = ["eve"]\noperate = ["eve"]\n'
    users += '[[policy.rule]]\nusers = ["ann"]\ndeny = ["pet.name"]\n'
    (tmp_path / "querent.toml").write_text(f'console_auth = "users"\nconsole_session = "20s"\n{users}[store]\npath = "{tmp_path}/store.db"\n')
    querent = Querent(QUERENT, [str(database)], tmp_path, console="127.0.0.1:0")
    querent.start()
    yield re.search(r"console on (\S+)", querent.told())[1]
    querent.stop()


def sign_in(browser, console, user, password):
    browser.open(f"{console}/sign-in")
    browser.run(f"for (const [name, value] of [['user', '{user}'], ['password', '{password}']]) document.forms.user[name].value = value")
    browser.run("document.forms.user.requestSubmit()")
    browser.wait("location.pathname === '/ask' || !!document.querySelector('[role=alert]:not([hidden])')")


def test_users_see_and_do_what_is_theirs_until_they_are_signed_out(guarded, browser):
    sign_in(browser, guarded, "ann", "wrong")
    assert "wrong" in browser.text("[role=alert]")
    accessible(browser, "sign-in")
    picture(browser, "sign-in")
    sign_in(browser, guarded, "ann", "a")
    browser.errors.clear()  # of the wrong password
    begun = time.monotonic()
    browser.wait("document.querySelectorAll('#examples button').length > 0")
    ask(browser, "how many pets are there?")
    assert browser.text("#chart b") == "2" and "ann" in browser.text(".where")
    assert browser.run("document.getElementById('feedback').hidden")
    links = browser.run("[...document.querySelectorAll('nav a')].map(link => link.textContent)")
    assert links == ["Ask", "Questions", "Schema"], links
    refused = browser.run("fetch('/api/v1/feedback', { method: 'POST', headers: { 'x-csrf-token': document.querySelector('meta[name=csrf]').content }, body: '{}' }).then((reply) => reply.status)")
    assert refused == 403
    browser.errors.clear()  # of that
    browser.open(f"{guarded}/questions")
    browser.wait("document.querySelectorAll('#list tr').length === 1")
    assert browser.text("h1") == "Your questions"
    while time.monotonic() < begun + 21:
        time.sleep(0.5)
    browser.open(f"{guarded}/questions")
    browser.wait("location.pathname === '/sign-in'")
    sign_in(browser, guarded, "eve", "e")
    browser.wait("document.querySelectorAll('#examples button').length > 0")
    browser.open(f"{guarded}/schema")
    browser.wait("document.getElementById('summary').textContent.includes('2 columns') && !!document.getElementById('as')")
    # She may look at what another user may read.
    browser.run("document.getElementById('as').value = 'ann'; document.getElementById('as').dispatchEvent(new Event('input'))")
    browser.wait("document.getElementById('summary').textContent.includes('1 column, ') && document.getElementById('summary').textContent.endsWith('as ann may read them')")
    browser.open(f"{guarded}/ask")
    browser.wait("document.querySelectorAll('#examples button').length > 0")
    ask(browser, "names of the pets")
    assert not browser.run("document.getElementById('feedback').hidden")
    browser.open(f"{guarded}/questions")
    browser.wait("document.querySelectorAll('#list tr').length === 2")
    assert not browser.errors, browser.errors
    for _ in range(10):
        sign_in(browser, guarded, "ann", "guessed")
    sign_in(browser, guarded, "ann", "a")
    assert "Too many" in browser.text("[role=alert]")


def test_over_https_a_certificate_is_asked_for_and_the_cookie_is_never_sent_without(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: apt-get install openssl")
    certificate, key = tmp_path / "server.crt", tmp_path / "server.key"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-out", certificate, "-keyout", key]
    request += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
    subprocess.run(request, check=True, capture_output=True)
    public = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], check=True, capture_output=True, text=True).stdout
    known = base64.b64encode(hashlib.sha256(ssl.PEM_cert_to_DER_cert(public.replace("PUBLIC KEY", "CERTIFICATE"))).digest()).decode()
    database = tmp_path / "pets.db"
    with sqlite3.connect(database) as connection:
        connection.executescript("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet VALUES (1, 'Rex'), (2, 'Tom');")
    (tmp_path / "querent.toml").write_text(
        'console_tls = true\nconsole_auth = "users"\n[auth]\nmode = "scram"\nusers = { ann = "a" }\n'
        f'[tls]\ncert = "{certificate}"\nkey = "{key}"\n[store]\npath = "{tmp_path}/store.db"\n'
    )
    querent = Querent(QUERENT, [str(database)], tmp_path, console="127.0.0.1:0")
    querent.start()
    # Of all certificates that nobody vouches for, the browser takes this one.
    browser = Browser(f"--ignore-certificate-errors-spki-list={known}")
    try:
        console = re.search(r"console on (https://\S+)", querent.told())[1]
        with urllib.request.urlopen(f"{console}/healthz", context=ssl.create_default_context(cafile=certificate)) as reply:
            assert reply.status == 200
        for address in (f"{console}/healthz", console.replace("https:", "http:") + "/healthz"):
            with pytest.raises((urllib.error.URLError, ConnectionError, http.client.HTTPException)):
                urllib.request.urlopen(address)
        sign_in(browser, console, "ann", "a")
        browser.wait("document.querySelectorAll('#examples button').length > 0")
        ask(browser, "how many pets are there?")
        assert browser.text("#chart b") == "2"
        (cookie,) = browser.call("Network.getCookies")["cookies"]
        assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie
        browser.open(f"{console}/questions")
        browser.wait("document.getElementById('live').textContent.includes('live') && document.querySelectorAll('#list tr').length === 1")
        assert not browser.errors, browser.errors
    finally:
        browser.close()
        querent.stop()


@pytest.fixture
def unsure(tmp_path, browser):
    """A server to which no answer is sure enough."""
    database = tmp_path / "pets.db"
    with sqlite3.connect(database) as connection:
        connection.executescript("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet VALUES (1, 'Rex'), (2, 'Tom');")
    (tmp_path / "querent.toml").write_text(f'min_confidence = 1.0\n[store]\npath = "{tmp_path}/store.db"\n')
    querent = Querent(QUERENT, [str(database)], tmp_path, console="127.0.0.1:0")
    querent.start()
    way_in = re.search(r"open it with (\S+)", querent.told())[1]
    browser.open(way_in)
    browser.wait("document.querySelectorAll('#examples button').length > 0")
    yield way_in.split("/?")[0]
    querent.stop()


def test_what_is_not_sure_is_offered_run_by_a_click_and_compared_with_before(unsure, browser):
    for _ in range(2):
        browser.open(f"{unsure}/ask")
        browser.wait("document.querySelectorAll('#examples button').length > 0")
        ask(browser, "how many pets are there?")
    assert "NL003" in browser.text("#problem")
    browser.wait("document.querySelectorAll('#choices button').length === 1")
    accessible(browser, "readings to choose")
    picture(browser, "readings")
    browser.run("document.querySelector('#choices button').click()")
    browser.wait("document.querySelector('#chart b')?.textContent === '2'")
    # What was run is in the audit, among the questions.
    browser.open(f"{unsure}/questions?")
    browser.wait("document.querySelectorAll('#list tr').length === 3")
    browser.run("[...document.querySelectorAll('#list a')].find((link) => link.textContent.startsWith('how many')).click()")
    browser.wait("location.pathname.startsWith('/questions/') && document.getElementById('before')?.hidden === false")
    assert "Both have the same SQL" in browser.text("#differs")
    assert "schema linking" in browser.text("#both")
    accessible(browser, "both answers")
    picture(browser, "compared")
    assert not browser.errors, browser.errors


def test_an_agent_has_the_tools(server, tmp_path):
    anyio = pytest.importorskip("anyio")
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    backend = str(server.path) if server.backend == "sqlite" else f"postgres://tester@127.0.0.1:{server.direct_port}/shop?sslmode=disable"
    program = mcp.StdioServerParameters(command=QUERENT, args=["mcp", backend], env={"XDG_STATE_HOME": str(tmp_path)})

    async def call():
        async with stdio_client(program) as (reader, writer), mcp.ClientSession(reader, writer) as session:
            await session.initialize()
            listed = await session.list_tools()
            assert [tool.name for tool in listed.tools] == ["ask", "query", "schema", "semantic_model"]
            answer = json.loads((await session.call_tool("ask", {"question": QUESTION})).content[0].text)
            counted = json.loads((await session.call_tool("query", {"sql": "SELECT count(*) AS n FROM customers"})).content[0].text)
            refused = (await session.call_tool("query", {"sql": "DELETE FROM customers"})).content[0].text
            return answer, counted, refused

    answer, counted, refused = anyio.run(call)
    assert answer["result"]["count"] == len(server.plain("SELECT DISTINCT country FROM customers"))
    assert [list(counted["rows"][0].values())[0]] == [row[0] for row in server.plain("SELECT count(*) FROM customers")]
    assert "42501" in refused
