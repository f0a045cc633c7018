from pathlib import Path


def read_menu(path=Path(__file__).parent / "data/dishes.txt"):
    lines = path.read_text(encoding="iso-8859-1").splitlines()
    pairs = (line.split(";") for line in lines if line and not line.startswith("#"))
    return {name: float(price) for name, price in pairs}


if __name__ == "__main__":
    for name, price in read_menu().items():
        print(f"{name}: {price:.2f}")
