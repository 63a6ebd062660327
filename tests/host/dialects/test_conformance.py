"""Each dialect of the host is what the host expects of one."""

from __future__ import annotations

from agenthost.dialects import ActionsJson, Classic, JsonReply, Native
from agenthost_sdk.testing import DialectConformance


class TestNative(DialectConformance):
    dialect = Native


class TestActionsJson(DialectConformance):
    dialect = ActionsJson


class TestClassic(DialectConformance):
    dialect = Classic


class TestJson(DialectConformance):
    dialect = JsonReply
