"""The console in a real browser, on both backends.

With QUERENT_PICTURES the pages are also kept as pictures in that folder; docs/console has some of them.
"""

import json
import os
import pathlib
import re
import urllib.error
import urllib.request

import pytest

from browser import Browser

PICTURES = os.environ.get("QUERENT_PICTURES")
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
    picture(browser, f"ask-{server.backend}")
    # Sorted by the count, the most first.
    browser.run("document.querySelectorAll('#rows th button')[1].click()")
    assert browser.text("#rows tbody td:nth-child(2)") == str(max(countries.values()))
    browser.run("document.getElementById('trace').click()")
    browser.wait("location.pathname.startsWith('/questions/') && document.querySelectorAll('.fall details').length > 3")
    assert browser.text("h1") == QUESTION
    picture(browser, f"question-{server.backend}")
    assert not browser.errors, browser.errors


def test_every_page_shows_what_it_is_for(server, browser, console):
    ask(browser, "the five most expensive products")
    for page, there in [
        ("questions", "document.querySelectorAll('#list tr').length > 0"),
        ("pipeline", "document.querySelectorAll('#tiles .tile').length > 5"),
        # In front of a server there are views of the semantic model where a file has one.
        ("schema", "document.querySelectorAll('#datasets details').length > 10 || !document.getElementById('problem').hidden"),
        ("system", "document.querySelectorAll('#settings tbody tr').length > 0"),
    ]:
        browser.open(f"{console}/{page}")
        browser.wait(there)
        assert browser.text(f"nav a[href='/{page}'][aria-current]")
        if page == "schema" and server.backend == "postgres":
            browser.errors.clear()  # of the views that are not there
        picture(browser, f"{page}-{server.backend}")
        # A phone scrolls down and not sideways.
        browser.show(width=390, height=844)
        assert browser.run("document.documentElement.scrollWidth <= innerWidth"), page
        browser.show()
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


def test_an_agent_has_the_tools(server, tmp_path):
    anyio = pytest.importorskip("anyio")
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    from backends import QUERENT

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
