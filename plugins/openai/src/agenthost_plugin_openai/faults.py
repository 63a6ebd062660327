"""Find the error that a server tells of in the place of a chunk, in whatever form."""

from __future__ import annotations

from typing import Any

from agenthost_plugin_openai.decode import as_dict

Json = dict[str, Any]


def fault_in(chunk: Any) -> Any:
    """Return the error that stands in the place of a chunk; None where there is none.

    What stands under `error` at the top of an event, the SDK raises itself.

    Args:
        chunk: What came without any choices.
    """
    if isinstance(chunk, list):  # as Gemini's endpoint for OpenAI's clients sends it
        found = (as_dict(one).get("error") for one in chunk)
        return next((error for error in found if error), None)
    told = as_dict(chunk)
    if "error" in (told.get("object"), told.get("type")) or told.get("success") is False:
        return told
    state = told.get("base_resp")  # of MiniMax, where 0 is success
    if isinstance(state, dict) and state.get("status_code"):
        return {"message": state.get("status_msg"), "code": state["status_code"]}
    return told if told.get("detail") and not told.get("usage") else None
