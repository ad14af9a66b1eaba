"""Packs this directory as a wheel and as a source archive, with the standard library alone: a PEP 517 build backend.

`python3 pack.py DIRECTORY` writes both; `pip install .` uses it too.
"""

import base64
import hashlib
import io
import pathlib
import sys
import tarfile
import zipfile

NAME, VERSION = "assay_client", "1.0.0"
ROOT = pathlib.Path(__file__).resolve().parent
METADATA = f"""Metadata-Version: 2.1
Name: assay-client
Version: {VERSION}
Summary: LTL fuel surcharges and liquor licenses from the Assay API, each with its proof
License: Apache-2.0
Requires-Python: >=3.10
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: pack\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
PACKED_AT = (2026, 1, 1, 0, 0, 0)  # the same files make the same archive


def metadata() -> bytes:
    return (METADATA + (ROOT / "README.md").read_text("utf-8")).encode()


def sources() -> list[pathlib.Path]:
    found = (ROOT / "src" / NAME).iterdir()
    return sorted(f for f in found if f.suffix == ".py" or f.name == "py.typed")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    info = f"{NAME}-{VERSION}.dist-info"
    files = {f"{NAME}/{f.name}": f.read_bytes() for f in sources()}
    files |= {f"{info}/METADATA": metadata(), f"{info}/WHEEL": WHEEL.encode()}
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for path, content in files.items()
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, PACKED_AT), content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    paths = [ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "pack.py", *sources()]
    files = {str(p.relative_to(ROOT)): p.read_bytes() for p in paths} | {"PKG-INFO": metadata()}
    with tarfile.open(pathlib.Path(sdist_directory, base + ".tar.gz"), "w:gz") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return base + ".tar.gz"


if __name__ == "__main__":
    to = pathlib.Path(sys.argv[1])
    to.mkdir(parents=True, exist_ok=True)
    print(to / build_wheel(to), to / build_sdist(to), sep="\n")
