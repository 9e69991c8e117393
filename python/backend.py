"""A build backend (PEP 517) without requirements: CMake builds the module, and zipfile packs the wheel.

The module is built in ../build/release, where the library may be compiled already. REEVE_PYTHON_BUILD names another
folder. Nothing is downloaded.
"""

import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NAME, VERSION = "reeve", "0.1.0"


def _tag():
    abi = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{abi}-{abi}-{platform}"


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n"
        "Summary: Cables, ropes, chains, belts and tendons with the bodies they move\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def _run(*command):
    print("+", *command, flush=True)
    try:
        subprocess.run(command, cwd=ROOT, check=True)
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is not installed; run scripts/setup python") from None


def build_module():
    """Configures and builds reeve_python; returns the path of the module."""
    folder = pathlib.Path(os.environ.get("REEVE_PYTHON_BUILD", ROOT / "build" / "release"))
    jobs = os.environ.get("REEVE_JOBS", str(os.cpu_count() or 1))
    _run("cmake", "--preset", "release", "-B", str(folder), "-DREEVE_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", str(folder), "-j", jobs, "--target", "reeve_python")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    module = folder / "python" / f"_reeve{suffix}"
    if not module.exists():
        raise SystemExit(f"the build did not leave {module}")
    return module


def _files():
    for path in sorted((HERE / "reeve").iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            yield path, f"reeve/{path.name}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    module = build_module()
    info = f"{NAME}-{VERSION}.dist-info"
    name = f"{NAME}-{VERSION}-{_tag()}.whl"
    records = []
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(where, content):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{where},sha256={digest},{len(content)}")
            wheel.writestr(where, content)

        for path, where in _files():
            add(where, path.read_bytes())
        add(f"reeve/{module.name}", module.read_bytes())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: reeve\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
        wheel.writestr(f"{info}/RECORD", "\n".join([*records, f"{info}/RECORD,,"]) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{VERSION}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as out:
        for path in ["pyproject.toml", "backend.py", "reeve", "src", "CMakeLists.txt"]:
            out.add(HERE / path, f"{NAME}-{VERSION}/{path}")
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


if __name__ == "__main__":  # for use without pip: the module beside the package
    built = build_module()
    shutil.copy2(built, HERE / "reeve" / built.name)
    print(HERE / "reeve" / built.name)
