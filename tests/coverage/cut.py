"""What mutate leaves out: blocks of Rust, Java and C++ that a formatter has laid out, with what stands above them."""

import re

HIDDEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\"\"\".*?\"\"\"|"(?:\\.|[^"\\])*"|'(?:\\[^'\n]+|[^\\'\n])'""", re.DOTALL)

VARIABLE = re.compile(r"\s*(?:let (?:mut )?|(?:final )?[\w.<>\[\]]+ )(\w+)(?:: [^=]+)? =(?!=)")

TYPE = re.compile(r"\b(?:class|interface|enum)\s+[A-Z]\w*[^()]*$|\brecord\s+[A-Z]\w*\(")


def each(files, pattern, remove):
    """The texts without each match of a pattern, by file; only of files that have one."""
    without = {}
    for name, text in files.items():
        rest = text
        while found := re.search(pattern, rest):
            rest = remove(rest, found)
        if rest != text:
            without[name] = rest
    return without


def line(text, found):
    start = text.rfind("\n", 0, found.end()) + 1
    return text[:start] + text[text.index("\n", start) + 1 :]


def match(text, found):
    return text[: found.start()] + text[found.end() :]


def unit(text, found):
    """The innermost declaration or statement around a match."""
    return remove(text, *chain(text, found.start())[-1][:2])


def item(text, found):
    """The outermost one."""
    return remove(text, *chain(text, found.start())[0][:2])


def member(text, found):
    """The member of a class, and then those that name it."""
    around = chain(text, found.start())
    code = hide(text)
    heads = [code[start : body[0]] for start, _, body in around[:-1]]
    depth = max((i + 1 for i, head in enumerate(heads) if TYPE.search(head)), default=0)
    start, end, _ = around[depth]
    name = declared(text[start:end])
    rest = remove(text, start, end)
    users = rf"\b{name}\b" if name.isupper() else rf'(?<![.\w]){name}\(|::{name}\b|"{name}"'
    while depth and (user := re.search(users, rest)):
        rest = member(rest, user)
    return rest


def statement(text, found):
    """A statement, and then those that name the variable that it declares, as far as that reaches."""
    around = chain(text, found.start())
    start, end, _ = around[-1]
    body_end = around[-2][2][1] if len(around) > 1 else end
    variable = VARIABLE.match(hide(text)[start:end])
    if variable:
        rest = text[end:body_end]
        again = re.search(rf"(?m)^.*\b{variable[1]} =(?!=)", rest)
        reach = again.start() if again else len(rest)
        scope = rest[:reach]
        while user := re.search(rf"\b{variable[1]}\b", scope):
            scope = unit(scope, user)
        text = text[:end] + scope + rest[reach:] + text[body_end:]
    return remove(text, start, end)


def argument(text, found):
    """An argument that is a call, with all that is called on it, and its comma."""
    code = hide(text)
    end = found.start()
    while call := re.compile(r"[\s.\w]*\(").match(code, end):
        end = closing(code, call.end() - 1) + 1
    start = found.start()
    if code[end] == ",":
        return text[:start] + text[end + 1 :].lstrip()
    return text[:start].rstrip().removesuffix(",") + text[end:]


def error_row(text, found):
    """A row of one function; of a row of several, the function, with which the match ends."""
    if re.search(r"\breturn\s*$", text[: found.start()]):
        return maker(text, found)
    after = text[found.end() :].lstrip()
    if "impossible(" not in found[0] or re.match(r",\s*new\b", after):
        return argument(text, found)
    start = text.rindex('"', 0, found.end() - 1)
    if after.startswith(","):
        return text[:start] + after[1:].lstrip()
    return text[:start].rstrip().removesuffix(",") + after


def maker(text, found):
    """A method that makes one row and no more, and then where it is added, or is an argument."""
    start, end, _ = chain(text, found.start())[-2]
    name = declared(text[start:end])
    rest = remove(text, start, end)
    while user := re.search(rf"(?<![.\w]){name}\(", rest):
        added = re.search(r"\.add\(\s*$", rest[: user.start()])
        rest = unit(rest, user) if added else argument(rest, user)
    return rest


def declared(text):
    """The name of a method, or of a field."""
    found = re.search(r"(\w+)(?:\(| =|;)", re.sub(r"@\w+(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?", "", hide(text)))
    return found[1]


def chain(text, at):
    """The declarations and statements around a position, the outermost first, with where their bodies are."""
    code = hide(text)
    found = []
    start, end = 0, len(code)
    while around := next((part for part in units(code, start, end) if part[0] <= at < part[1]), None):
        body = next(((opens, closes) for opens, closes in bodies(code, *around) if opens < at < closes), None)
        found.append((*around, body))
        if not body:
            break
        start, end = body[0] + 1, body[1]
    return found


def units(code, start, end):
    """What stands in a block, one after the other: it ends with a semicolon, or with a body that nothing follows."""
    begin = at = start
    while at < end:
        if code[at] in "([{":
            brace = code[at] == "{"
            at = closing(code, at) + 1
            if brace and not re.compile(r"\s*(?:[);,.?=]|else\b|catch\b|finally\b)").match(code, at):
                yield begin, at
                begin = at
            continue
        at += 1
        if code[at - 1] == ";":
            yield begin, at
            begin = at
    if code[begin:end].strip():
        yield begin, end


def bodies(code, start, end):
    """The outermost braces, also those within parentheses."""
    at = start
    while (at := code.find("{", at, end)) >= 0:
        close = closing(code, at)
        yield at, close
        at = close + 1


def closing(code, opening):
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return at
    raise ValueError(f"nothing closes what opens in {code[opening:opening + 60]!r}")


def hide(text):
    """The code alone: comments, texts and characters are blank, and everything stands where it stood."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def remove(text, start, end):
    """Without whole lines where they hold nothing else; a comment further up, before an empty line, stays."""
    code = hide(text)
    first = end - len(code[start:end].lstrip())
    above = text.rfind("\n\n", start, first)
    start = above + 2 if above >= 0 else end - len(text[start:end].lstrip())
    begin = text.rfind("\n", 0, start) + 1
    close = text.find("\n", end)
    if text[begin:start].isspace() or begin == start:
        start = begin
        if close >= 0 and not code[end:close].strip():
            end = close + 1
    return text[:start] + text[end:]
