"""What the host answers to prompts and GETs: scripted, and in the form that the SDK decodes."""

import json

# What our own host calls the failures of a model, so that both sides hear the same.
CAUSES = {"transient": "TRANSIENT_MODEL_FAILURE", "model": "MODEL_FAILURE"}


def prompt_reply(answers: list, form: str) -> dict:
    """Takes the next scripted answer. The host, and not the SDK, makes an object of a JSON answer."""
    answer = answers.pop(0) if answers else {"error": "model"}
    if isinstance(answer, dict):
        return _failure(CAUSES[answer["error"]])
    if form == "text":
        return {"ok": answer}
    try:
        value = json.loads(answer)
    except ValueError:
        value = None
    return {"ok": value} if isinstance(value, dict) else _failure("INVALID_JSON")


def page_reply(pages: dict, url: str) -> dict:
    """The page at `url`, if the case has it."""
    page = pages.get(url)
    if page is None:
        return _failure("LOAD_FAILED")
    headers = {name: value.encode() for name, value in page.get("headers", {}).items()}
    body = page.get("body", "").encode()
    return {"ok": {"response": {"status": page["status"], "headers": headers, "body": body}}}


def _failure(cause: str) -> dict:
    return {"error": {"causes": [cause], "fatal": False, "ctx": {}}}
