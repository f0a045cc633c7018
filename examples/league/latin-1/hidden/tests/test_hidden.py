import pathlib
import unittest

from menu import read_menu

FILE = pathlib.Path(__file__).parent.parent / "data/dishes.txt"


class HiddenTest(unittest.TestCase):
    def test_menu(self):
        menu = read_menu()
        self.assertEqual(menu["Cr\u00e8me br\u00fbl\u00e9e"], 7.2)
        self.assertEqual(list(menu.items())[-1], ("P\u00e2t\u00e9 en cro\u00fbte", 9.1))

    def test_bytes(self):
        lines = FILE.read_bytes().split(b"\n")
        self.assertEqual(
            lines,
            [
                b"# Carte du caf\xe9. Prix en euros; ne pas convertir ce fichier: la caisse lit ISO-8859-1.",
                b"Soupe \xe0 l'oignon;5.80",
                b"Salade ni\xe7oise;8.40",
                b"Cr\xe8me br\xfbl\xe9e;7.20",
                b"Th\xe9 \xe0 la menthe;3.20",
                b"P\xe2t\xe9 en cro\xfbte;9.10",
                b"",
            ],
        )
