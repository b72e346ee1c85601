"""A plan that writes a table of contents, or replaces the one that is there."""

from headings import headings_of


def contents_plan(doc_text: str, anchor: str = "cursor", deepest: int = 3) -> dict:
    headings = [heading for heading in headings_of(doc_text) if heading.level <= deepest]
    if not headings:
        raise ValueError(f"no heading of level {deepest} or above")
    lines = ["\u3000" * (heading.level - 1) + heading.text for heading in headings]
    text = {"id": "contents-lines", "title": f"写入 {len(lines)} 行目录", "op": "insert_text", "text": "\n".join(lines)}
    block = {"id": "contents", "title": "更新目录", "op": "upsert_block", "block_id": "contents", "anchor": anchor}
    return {"schema_version": "ah32.plan.v1", "host_app": "wps", "actions": [{**block, "actions": [text]}]}
