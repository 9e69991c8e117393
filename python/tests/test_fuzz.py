"""Calls of the package at random, for a few seconds (fuzz_calls.py; REEVE_FUZZ_SECONDS for longer): no crash, no other exception."""

import os
import pathlib
import subprocess
import sys
import unittest


class Fuzz(unittest.TestCase):
    def test_calls_at_random_do_not_crash_the_interpreter(self):
        seconds = os.environ.get("REEVE_FUZZ_SECONDS", "5")
        program = pathlib.Path(__file__).with_name("fuzz_calls.py")
        done = subprocess.run([sys.executable, str(program), seconds, "1"], capture_output=True, text=True, timeout=60 + float(seconds))
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertRegex(done.stdout, r"^\d+ calls")


if __name__ == "__main__":
    unittest.main()
