"""Every block of docs/python.md runs, one after the other."""

import contextlib
import io
import pathlib
import re
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


class Docs(unittest.TestCase):
    def test_every_block_runs(self):
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreater(len(blocks), 5)
        names = {}
        for number, block in enumerate(blocks):
            with self.subTest(block=number), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, f"{PAGE.name}, block {number}", "exec"), names)


if __name__ == "__main__":
    unittest.main()
